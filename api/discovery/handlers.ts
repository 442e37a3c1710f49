import type * as operations from '../../schemas/discovery/operations.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { tagOf } from '../http/answers.ts'
import { agentTools } from './agent-tools.ts'
import { DOCS_POLICY, docsPage } from './docs-page.ts'
import { type ManifestDeps, onboarding } from './onboarding.ts'
import { openApi, withoutExamples } from './openapi.ts'

/** A body that never changes: its bytes and their tag are made once. */
const keptBody = (text: string) => ({ serialised: Buffer.from(text), etag: tagOf(text) })

/** Documents made from the registry. */
export const createDiscoveryHandlers = (deps: ManifestDeps): HandlersOf<typeof operations> => {
  const page = docsPage(operationList, deps.baseUrl)
  const description = openApi(operationList, {
    baseUrl: deps.baseUrl,
    buildId: deps.settings.BUILD_ID,
    assets: [deps.chain.asset.symbol],
  })
  const documents = { all: description, none: withoutExamples(description) }
  const kept = {
    page: keptBody(page),
    all: keptBody(JSON.stringify(documents.all)),
    none: keptBody(JSON.stringify(documents.none)),
  }
  return {
    async getOnboarding() {
      return { status: 200, body: await onboarding(deps) }
    },
    async getAgentTools() {
      return { status: 200, body: agentTools(deps) }
    },
    async getOpenApi({ query }) {
      return { status: 200, body: documents[query.examples], ...kept[query.examples] }
    },
    async getDocs() {
      return { status: 200, body: page, ...kept.page, headers: { 'content-security-policy': DOCS_POLICY } }
    },
  }
}
