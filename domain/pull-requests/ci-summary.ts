import type { CheckRun, CommitStatus } from '../../schemas/codehost/record.ts'
import type { CiExclusion, CiState, PolicyGate } from '../../schemas/pull-requests/record.ts'

/** Checks of a pull request as a whole. */
export interface CiSummary {
  ciStatus: CiState
  ciExclusions: CiExclusion[]
  policyGates: PolicyGate[]
  pendingMaintainerApproval: boolean
}

/** CLA or DCO in capitals as part of a name: "CLA", "iCLA", "CLAs", "CLASigned"; not "CLANG". */
const CAPITALS = /(?:CLA|DCO)(?:s|[A-Z][a-z]\w*)?(?![A-Za-z])/
/** A lower-case name that ends with cla or dco, or adds a verb or tool to it: "easycla", "clahub", "dcocheck". */
const ABBREVIATION =
  /(?:cla|dco)$|^(?:cla|dco)(?:bot|hub|check(?:er|s)?|sign(?:ed|ing|ature|off)?|required|a?ssistant|verif(?:y|ied|ication)|status)$/
const LICENCE = /licen[sc]e/i

/** A status text about authorisation. */
const AUTHORISATION = /\bauthori[sz]/i
/** A status text that requests authorisation, unlike a test about authorisation. */
const REQUESTS_AUTHORISATION =
  /^\W*(?:authori[sz]\w*(?:\s+\w+){0,3}\s+(?:required|needed|pending)|(?:requires?|needs?|awaiting|waiting for)\s.{0,30}authori[sz]\w*)(?:\s+by\s[\w ]{1,30})?\W*$/i

const HOST = /^(?:vercel|netlify|render|railway|heroku|cloudflare|amplify)(?![a-z0-9])/i
const PREVIEW = /deploy[ -]?preview/i
const DEPLOYMENT = /^(?:deploy(?:ment)?s?|previews?)(?![a-z0-9])/i
/** Names of code checks; a status with such a name is no preview, even with the name of a deployment host. */
const CHECK =
  '(?:ci|tests?|testing|e2e|specs?|lint(?:er|ing)?|typecheck|coverage|unit|integration|smoke|acceptance|regression|audit|security)'
const CHECKS = new RegExp(`(?<![a-z])${CHECK}(?![a-z])`, 'i')
const ONLY_CHECKS = new RegExp(`^${CHECK}(?:[-_ ]${CHECK})*$`, 'i')
/** Separators before the name of a site. */
const SITE = /\s[–—-]\s|[/:]/
const DEPLOYS = /\bdeploy/i

const isPolicy = (name: string): boolean =>
  LICENCE.test(name) ||
  CAPITALS.test(name) ||
  name
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => ABBREVIATION.test(word))

const GATE_PASSES: ReadonlySet<string> = new Set(['success', 'neutral', 'skipped'])
const FAILED: ReadonlySet<string> = new Set(['failure', 'error', 'timed_out', 'cancelled', 'startup_failure'])
const SET_ASIDE: ReadonlySet<string> = new Set(['neutral', 'skipped'])

/** One check run or commit status with its conclusion; `pending` while it has none. */
interface Check {
  name: string
  conclusion: string
}

const ofRun = ({ name, conclusion, status }: CheckRun): Check => ({
  name,
  conclusion: status === 'completed' || conclusion === 'action_required' ? (conclusion ?? 'pending') : 'pending',
})
const ofStatus = ({ context, state }: CommitStatus): Check => ({ name: context, conclusion: state })

function stateOf(checks: readonly Check[], awaitsApproval: boolean): CiState {
  if (checks.some(({ conclusion }) => FAILED.has(conclusion))) return 'failing'
  if (awaitsApproval) return 'unknown'
  const counted = checks.filter(({ conclusion }) => !SET_ASIDE.has(conclusion))
  if (counted.some(({ conclusion }) => conclusion !== 'success')) return 'pending'
  return counted.length > 0 ? 'passing' : 'unknown'
}

/** "vercel" of "Vercel – site" and of "[Vercel] site". */
const firstWord = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]*([a-z0-9]+).*/s, '$1')

/** Whether a status belongs to a deployment. A deployment host's status names its site, which can have any name. */
function isOfDeployment(context: string): boolean {
  if (PREVIEW.test(context)) return true
  if (DEPLOYMENT.test(context)) return !CHECKS.test(context)
  if (!HOST.test(context)) return false
  const [host = '', site = ''] = context.split(SITE).map((part) => part.trim())
  return !CHECKS.test(host) && !ONLY_CHECKS.test(site)
}

/** Whether a status about authorisation only requests it. A failed test about authorisation counts as a check. */
const onlyRequestsAuthorisation = ({ state, description }: CommitStatus, deploys: boolean): boolean =>
  deploys || DEPLOYS.test(description) || !FAILED.has(state) || REQUESTS_AUTHORISATION.test(description)

/** Why a status does not count as a check of the code; null when it counts. */
function exclusionOf(status: CommitStatus, runs: readonly CheckRun[]): CiExclusion['reason'] | null {
  const deploys = isOfDeployment(status.context)
  if (AUTHORISATION.test(status.description) && onlyRequestsAuthorisation(status, deploys)) return 'deployment_authorization_required'
  if (!deploys) return null
  const provider = firstWord(status.context)
  return runs.some(({ name }) => name.toLowerCase().includes(provider)) ? null : 'deployment_integration_without_check_runs'
}

/** The newest item of each key: by time, then by id. An item without a time has not started, so it is the newest. */
function newestByKey<T extends { id: number }>(items: readonly T[], keyOf: (item: T) => string, timeOf: (item: T) => string | null): T[] {
  const newest = new Map<string, T>()
  const rank = (item: T): number => Date.parse(timeOf(item) ?? '') || Number.POSITIVE_INFINITY
  for (const item of items) {
    const other = newest.get(keyOf(item))
    if (other === undefined || rank(item) > rank(other) || (rank(item) === rank(other) && item.id > other.id)) newest.set(keyOf(item), item)
  }
  return [...newest.values()]
}

/** Checks of one commit by kind: of the code, about contributor terms, or excluded. */
function sortChecks(statuses: readonly CommitStatus[], runs: readonly CheckRun[]) {
  const gates = [...runs.map(ofRun), ...statuses.map(ofStatus)].filter(({ name }) => isPolicy(name))
  const ordinary = statuses.filter(({ context }) => !isPolicy(context)).map((status) => ({ status, reason: exclusionOf(status, runs) }))
  return {
    policyGates: gates.map(({ name, conclusion }) => ({ name, conclusion, passed: GATE_PASSES.has(conclusion) })),
    ordinaryRuns: runs.filter(({ name }) => !isPolicy(name)),
    countedStatuses: ordinary.filter(({ reason }) => reason === null).map(({ status }) => ofStatus(status)),
    excluded: ordinary.flatMap(({ status, reason }) => (reason === null ? [] : [{ name: status.context, reason }])),
  }
}

/**
 * Summarises statuses and runs of one commit: of each context, and of each name and app, the newest counts. It excludes gates about contributor terms
 * and prompts of a deployment. Precedence: failing,
 * awaiting a maintainer's approval (unknown), pending, passing, unknown. Source: lifecycle, "codehost_pr".
 */
export function summariseChecks(statuses: readonly CommitStatus[], runs: readonly CheckRun[]): CiSummary {
  const newestStatuses = newestByKey(
    statuses,
    ({ context }) => context,
    ({ updatedAt }) => updatedAt,
  )
  const newestRuns = newestByKey(
    runs,
    ({ name, app }) => JSON.stringify([name, app]),
    ({ startedAt }) => startedAt,
  )
  const { policyGates, ordinaryRuns, countedStatuses, excluded } = sortChecks(newestStatuses, newestRuns)
  const awaiting = ordinaryRuns.filter(({ conclusion }) => conclusion === 'action_required')
  const counted = [...ordinaryRuns.map(ofRun), ...countedStatuses]
  return {
    ciStatus: stateOf(counted, awaiting.length > 0),
    ciExclusions: [...awaiting.map(({ name }) => ({ name, reason: 'pending_maintainer_approval' as const })), ...excluded],
    policyGates,
    pendingMaintainerApproval: awaiting.length > 0,
  }
}
