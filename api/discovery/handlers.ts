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

/** An answer that never changes: its bytes and their tag are made once. */
const keptAnswer = <Body>(body: Body, text: string = String(body)) => ({ body, serialised: Buffer.from(text), etag: tagOf(text) })

/** Makes a value when it is first asked for. */
const onDemand = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Documents made from the registry, each at its first request: together they take half a second, for which no start has to wait. */
export const createDiscoveryHandlers = (deps: ManifestDeps): HandlersOf<typeof operations> => {
  const { baseUrl, settings, chain } = deps
  const page = onDemand(() => keptAnswer(docsPage(operationList, baseUrl)))
  const description = onDemand(() => openApi(operationList, { baseUrl, buildId: settings.BUILD_ID, assets: [chain.asset.symbol] }))
  const keptJson = (document: object) => keptAnswer(document, JSON.stringify(document))
  const documents = { all: onDemand(() => keptJson(description())), none: onDemand(() => keptJson(withoutExamples(description()))) }
  const verify = onDemand(() => keptAnswer(verifyPage()))
  const style = onDemand(() => keptAnswer(VERIFY_STYLE))
  const modules = onDemand(() => new Map([...loadVerifierModules()].map(([name, text]) => [name, keptAnswer(text)])))
  const [short, full] = [onDemand(() => keptAnswer(llmsText(baseUrl))), onDemand(() => keptAnswer(llmsFullText(baseUrl)))]
  return {
    async getOnboarding({ query }) {
      return { status: 200, body: query.detail === 'welcome' ? welcome(deps) : await onboarding(deps) }
    },
    async getAgentTools() {
      return { status: 200, body: agentTools(deps) }
    },
    async getOpenApi({ query }) {
      return { status: 200, ...documents[query.examples]() }
    },
    async getVerifyPage() {
      return { status: 200, ...verify(), headers: { 'content-security-policy': VERIFY_POLICY } }
    },
    async getVerifyStyle() {
      return { status: 200, ...style() }
    },
    async getVerifyModule({ params: { name } }) {
      const found = modules().get(name)
      if (found === undefined) throw new ServiceError('verifier_module_not_found')
      return { status: 200, ...found }
    },
    async getLlmsText() {
      return { status: 200, ...short() }
    },
    async getLlmsFullText() {
      return { status: 200, ...full() }
    },
    async getDocs() {
      return { status: 200, ...page(), headers: { 'content-security-policy': DOCS_POLICY } }
    },
  }
}
