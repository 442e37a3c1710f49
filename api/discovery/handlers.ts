import { listAgents } from '../../activities/directory/listing.ts'
import { newestBadges } from '../../activities/reputation/badges.ts'
import { PAGE_POLICY } from '../../pages/style.ts'
import type * as operations from '../../schemas/discovery/operations.ts'
import { isErrorCode, ServiceError } from '../../schemas/errors.ts'
import type { Answer, HandlersOf, OperationSpec } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { createOutageReader } from '../catalogue/inventory.ts'
import type { ServiceDeps } from '../deps.ts'
import { NO_STORE, tagOf } from '../http/answers.ts'
import { SERVICE_VERSION } from '../service.ts'
import { guidesOf } from './guides/all.ts'
import { homePage } from './home-page.ts'
import { apiCatalog, catalogLink, mcpServer, robotsText, securityText, sitemap } from './indexes.ts'
import { llmsFullText, llmsText } from './llms-text.ts'
import { agentTools, onboarding, welcome } from './onboarding.ts'
import { openApi, withoutExamples } from './openapi.ts'
import { errorPage, errorsPage } from './pages/docs-errors-page.ts'
import { guidePage, guidesPage } from './pages/docs-guides-page.ts'
import { docsSubjects } from './pages/docs-index.ts'
import { DOCS_POLICY, docsPage, searchPage } from './pages/docs-page.ts'
import { docsSubjectPage } from './pages/docs-subject-page.ts'
import { loadVerifierModules, VERIFY_POLICY, verifyPage } from './pages/verify-page.ts'

/** An answer that never changes: its bytes and their tag are made once. */
const keptAnswer = <Body>(body: Body, text: string = String(body)) => ({ body, serialised: Buffer.from(text), etag: tagOf(text) })

/** Most badges and most profiles of the sitemap. */
const SITEMAP_ROWS = 1_000

/** Makes a value when it is first asked for. */
const onDemand = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Documents made from the registry, each at its first request: together they take half a second, for which no start has to wait. */
export const createDiscoveryHandlers = (deps: ServiceDeps): HandlersOf<typeof operations> => {
  const { baseUrl, settings, chain, clock } = deps
  const { rows } = deps.database
  const service = onDemand(() => ({
    baseUrl,
    decimals: chain.asset.decimals,
    tokenSeconds: settings.JWT_TTL_SECONDS,
    signInSeconds: settings.AUTH_SESSION_DAYS * 86_400,
  }))
  const readOutage = createOutageReader(deps)
  const subjects = onDemand(() => docsSubjects(operationList))
  const guides = onDemand(() => guidesOf({ baseUrl, asset: chain.asset.symbol, decimals: chain.asset.decimals }))
  const guideList = onDemand(() => keptAnswer(guidesPage(guides())))
  const guidePages = onDemand(() => new Map(guides().map((guide) => [guide.name, onDemand(() => keptAnswer(guidePage(guide)))])))
  const start = onDemand(() => keptAnswer(docsPage(subjects(), guides(), baseUrl)))
  const codes = onDemand(() => keptAnswer(errorsPage()))
  const subjectPages = onDemand(
    () => new Map(subjects().map((subject) => [subject.slug, onDemand(() => keptAnswer(docsSubjectPage(subject, subjects(), service())))])),
  )
  const description = onDemand(() =>
    openApi(operationList, { baseUrl, buildId: settings.BUILD_ID ?? SERVICE_VERSION, assets: [chain.asset.symbol] }),
  )
  const keptJson = <Document extends object>(document: Document) => keptAnswer(document, JSON.stringify(document))
  const documents = { all: onDemand(() => keptJson(description())), none: onDemand(() => keptJson(withoutExamples(description()))) }
  const catalog = onDemand(() => keptJson(apiCatalog(baseUrl)))
  const [server, robots] = [onDemand(() => keptJson(mcpServer(baseUrl))), onDemand(() => keptAnswer(robotsText(operationList, baseUrl)))]
  const verify = onDemand(() => keptAnswer(verifyPage(baseUrl)))
  const modules = onDemand(() => new Map([...loadVerifierModules()].map(([name, text]) => [name, keptAnswer(text)])))
  const [short, full] = [onDemand(() => keptAnswer(llmsText(baseUrl))), onDemand(() => keptAnswer(llmsFullText(baseUrl)))]
  return {
    getOnboarding: async ({ query }) => ({ status: 200, body: query.detail === 'welcome' ? welcome(deps) : await onboarding(deps) }),
    getAgentTools: async () => ({ status: 200, body: agentTools(deps) }),
    getOpenApi: async ({ query }) => ({ status: 200, ...documents[query.examples]() }),
    getApiCatalog: async () => ({ status: 200, ...catalog(), headers: { link: catalogLink(baseUrl) } }),
    getMcpServer: async () => ({ status: 200, ...server() }),
    getSecurityText: async () => {
      const body = securityText(baseUrl, settings.SECURITY_CONTACT, clock.now())
      if (body === null) throw new ServiceError('security_contact_unset')
      return { status: 200, body }
    },
    getRobotsText: async () => ({ status: 200, ...robots() }),
    getSitemap: async () => {
      const hidden = Object.keys(settings.OPERATOR_IDENTITIES)
      const [badges, agents] = await Promise.all([
        newestBadges(rows, SITEMAP_ROWS),
        listAgents(rows, { limit: SITEMAP_ROWS, after: null, hidden }),
      ])
      return { status: 200, body: sitemap({ badges, wallets: agents.map(({ wallet }) => wallet) }, baseUrl) }
    },
    getVerifyPage: async () => ({ status: 200, ...verify(), headers: { 'content-security-policy': VERIFY_POLICY } }),
    getVerifyModule: async ({ params: { name } }) => {
      const found = modules().get(name)
      if (found === undefined) throw new ServiceError('verifier_module_not_found')
      return { status: 200, ...found }
    },
    getLlmsText: async () => ({ status: 200, ...short() }),
    getLlmsFullText: async () => ({ status: 200, ...full() }),
    getHome: async ({ request }) => {
      const read = async <Spec extends OperationSpec>(spec: Spec, search = '') =>
        (await request.call(spec, { protocol: 'http', params: {}, search, body: {} })).body as Answer<Spec>['body']
      const { text, isWhole } = await homePage({ read, readOutage }, deps)
      return { status: 200, body: text, headers: { 'content-security-policy': PAGE_POLICY, ...(isWhole ? {} : NO_STORE) } }
    },
    getDocs: async ({ query: { q } }) => {
      const found = q === undefined || q === '' ? start() : { body: searchPage(subjects(), guides(), q) }
      return { status: 200, ...found, headers: { 'content-security-policy': DOCS_POLICY } }
    },
    getDocsSubject: async ({ params: { subject } }) => {
      const page = subjectPages().get(subject)
      if (page === undefined) throw new ServiceError('docs_page_not_found')
      return { status: 200, ...page(), headers: { 'content-security-policy': PAGE_POLICY } }
    },
    getGuides: async () => ({ status: 200, ...guideList(), headers: { 'content-security-policy': PAGE_POLICY } }),
    getGuide: async ({ params: { name } }) => {
      const page = guidePages().get(name)
      if (page === undefined) throw new ServiceError('docs_page_not_found')
      return { status: 200, ...page(), headers: { 'content-security-policy': PAGE_POLICY } }
    },
    getErrors: async () => ({ status: 200, ...codes(), headers: { 'content-security-policy': PAGE_POLICY } }),
    getError: async ({ params: { code } }) => {
      if (!isErrorCode(code)) throw new ServiceError('docs_page_not_found')
      return { status: 200, body: errorPage(code, operationList), headers: { 'content-security-policy': PAGE_POLICY } }
    },
  }
}
