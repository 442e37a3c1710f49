import type * as operations from '../../schemas/discovery/operations.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { tagOf } from '../http/answers.ts'
import { agentTools } from './agent-tools.ts'
import { llmsFullText, llmsText } from './llms-text.ts'
import { type ManifestDeps, onboarding } from './onboarding.ts'
import { openApi, withoutExamples } from './openapi.ts'
import { DOCS_POLICY, docsPage } from './pages/docs-page.ts'
import { loadVerifierModules, VERIFY_POLICY, VERIFY_STYLE, verifyPage } from './pages/verify-page.ts'
import { welcome } from './welcome.ts'

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
  const verify = verifyPage()
  const modules = new Map([...loadVerifierModules()].map(([name, text]) => [name, { body: text, ...keptBody(text) }]))
  const texts = { short: llmsText(deps.baseUrl), full: llmsFullText(deps.baseUrl) }
  const kept = {
    short: keptBody(texts.short),
    full: keptBody(texts.full),
    verify: keptBody(verify),
    style: keptBody(VERIFY_STYLE),
    page: keptBody(page),
    all: keptBody(JSON.stringify(documents.all)),
    none: keptBody(JSON.stringify(documents.none)),
  }
  return {
    async getOnboarding({ query }) {
      return { status: 200, body: query.detail === 'welcome' ? welcome(deps) : await onboarding(deps) }
    },
    async getAgentTools() {
      return { status: 200, body: agentTools(deps) }
    },
    async getOpenApi({ query }) {
      return { status: 200, body: documents[query.examples], ...kept[query.examples] }
    },
    async getVerifyPage() {
      return { status: 200, body: verify, ...kept.verify, headers: { 'content-security-policy': VERIFY_POLICY } }
    },
    async getVerifyStyle() {
      return { status: 200, body: VERIFY_STYLE, ...kept.style }
    },
    async getVerifyModule({ params: { name } }) {
      const found = modules.get(name)
      if (found === undefined) throw new ServiceError('verifier_module_not_found')
      return { status: 200, ...found }
    },
    async getLlmsText() {
      return { status: 200, body: texts.short, ...kept.short }
    },
    async getLlmsFullText() {
      return { status: 200, body: texts.full, ...kept.full }
    },
    async getDocs() {
      return { status: 200, body: page, ...kept.page, headers: { 'content-security-policy': DOCS_POLICY } }
    },
  }
}
