import type { Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { type Cell, codeWords, duration, factTable, figures, rowTable, state, type Tone } from '../../../pages/parts.ts'
import { reasonWords } from '../../look/reasons.ts'
import { clockTime, money, when } from '../../look/values.ts'
import type { Content, Page, View } from '../../view.ts'

type Health = Schemas.Health
type Warning = Schemas.HealthWarning
/** A part: its name, how it stands, whether that is good, and what to do or to know. */
type Part = readonly [name: string, words: string, tone: Tone, more: Cell]

const SEVERITIES: Readonly<Record<string, Tone>> = { error: 'bad', warn: 'warn', info: 'off' }

const toneOf = (ok: boolean | null): Tone => (ok === null ? 'warn' : ok ? 'good' : 'bad')

/** What to do about a part that does not work, where no warning of the API says it. */
const TO_DO = {
  database: 'See whether PostgreSQL answers, and its log.',
  chain: 'See whether the node answers; the service goes on by itself.',
  indexer: 'It catches up by itself once the chain is read. If it stays behind, see the log of the workers.',
  workers: 'Start a worker; its log names what stops it.',
  runner: 'Install what is missing on the host of the runner, and start it again.',
  settlement: 'Compare the configured signing domain with that of the token.',
  verification: 'Give the service what the list below says is missing.',
} as const

const unless = (ok: boolean | null, words: string): string => (ok === true ? '' : words)

const partsOf = ({ components, serviceHealth, capabilityHealth }: Health, now: number): Part[] => {
  const { stateStore, blockchain, indexer, runner, verification, settlement, gasSponsor, externalPostingWatcher } = components
  const worker = serviceHealth.components.workflowWorker
  const lag = indexer.lagSeconds === null ? '' : `, ${indexer.lagSeconds === 0 ? 'no' : duration(indexer.lagSeconds)} lag`
  return [
    ['Database', stateStore.ok ? 'answers' : 'does not answer', toneOf(stateStore.ok), unless(stateStore.ok, TO_DO.database)],
    [
      'Chain',
      codeWords(capabilityHealth.blockchain),
      toneOf(blockchain.ok),
      html`read ${when(blockchain.lastReadAt, now)}. ${unless(blockchain.ok, TO_DO.chain)}`,
    ],
    [
      'Recording of events',
      `${codeWords(capabilityHealth.indexer)}${lag}`,
      toneOf(indexer.ok),
      html`block ${indexer.block ?? 'unknown'} of ${indexer.headBlock ?? 'unknown'}. ${unless(indexer.ok, TO_DO.indexer)}`,
    ],
    [
      'Workers',
      codeWords(worker.state),
      toneOf(worker.ok),
      html`progress ${when(worker.lastProgressAt, now)}. ${unless(worker.ok, TO_DO.workers)}`,
    ],
    ['Money of the service', codeWords(capabilityHealth.treasuryMutations), toneOf(capabilityHealth.treasuryMutations === 'available'), ''],
    [
      'Runners of profiles',
      codeWords(runner.state),
      runner.state === 'disabled' ? 'off' : toneOf(runner.ok),
      runner.reason ?? unless(runner.ok, TO_DO.runner),
    ],
    [
      'Verdicts',
      verification.ok === null ? 'unknown' : verification.ok ? 'ready' : 'something is missing',
      toneOf(verification.ok),
      unless(verification.ok, TO_DO.verification),
    ],
    ...(settlement === undefined
      ? []
      : [['Paid runs', codeWords(settlement.state), toneOf(settlement.ok), unless(settlement.ok, TO_DO.settlement)] as const]),
    [
      'Postings of posters',
      codeWords(capabilityHealth.externalPosting),
      externalPostingWatcher.state === 'disabled' ? 'off' : toneOf(externalPostingWatcher.ok),
      '',
    ],
    [
      'Cross-chain',
      codeWords(capabilityHealth.xcmObserver),
      capabilityHealth.xcmObserver === 'unavailable' ? 'bad' : capabilityHealth.xcmObserver === 'live' ? 'good' : 'off',
      '',
    ],
    ['Gas sponsor', gasSponsor.state, gasSponsor.state === 'disabled' ? 'off' : toneOf(gasSponsor.ok), ''],
  ]
}

const partTable = (parts: readonly Part[]): Html =>
  rowTable(
    'Parts',
    ['Part', 'State', 'What to do or know'],
    parts.map(([name, words, tone, more]): Cell[] => [name, state(words, tone), more]),
    '',
  )

const findingTable = (name: string, findings: readonly Warning[], empty: string): Html =>
  rowTable(
    name,
    ['Severity', 'What to do or know', 'Code'],
    findings.map(({ severity, message, code }): Cell[] => [
      state(severity === 'warn' ? 'warning' : codeWords(severity), SEVERITIES[severity] ?? 'off'),
      message,
      html`<code>${code}</code>`,
    ]),
    empty,
  )

const missing = ({ components }: Health, now: number): Html | string => {
  const needs = components.verification.needs.filter(({ ready }) => !ready)
  if (needs.length === 0) return ''
  const rows = needs.map(({ need, reason, checkedAt }): Cell[] => [codeWords(need), reasonWords(reason), when(checkedAt, now)])
  return html`<h2>What verdicts lack</h2>${rowTable('What verdicts lack', ['Need', 'Why', 'Checked'], rows, '')}`
}

const counts = ({ settlement, rewardBank }: Health): Html => {
  const shown = (count: number | null): string => (count === null ? 'unknown' : String(count))
  return figures([
    [shown(settlement.claimedNotSubmitted), 'claimed, not submitted'],
    [shown(settlement.submittedNotSettled), 'submitted, not settled'],
    [shown(settlement.stuck), 'stuck'],
    [shown(settlement.settled24h), 'settled in 24 hours'],
    [shown(settlement.failed24h), 'failed in 24 hours'],
    [
      rewardBank.liquid === null ? 'unknown' : money(rewardBank.liquid),
      rewardBank.stale ? 'in the reward bank, not read recently' : 'in the reward bank',
    ],
  ])
}

/** What only operators read: the work of the background, and this process. */
const statusView = (status: Schemas.AdminStatus, now: number): Html => {
  const { maintenance, backgroundWorkflows, hostDiagnostics: host, jobSpecHashIntegrity: hashes } = status
  const pool = host.databasePool
  const background = Object.entries(backgroundWorkflows).map(([name, part]): Cell[] => [
    codeWords(name.replaceAll(/([A-Z])/g, ' $1')),
    part.enabled ? state(part.running ? 'runs' : 'stands still', part.running ? 'good' : 'bad') : state('off', 'off'),
    when(part.lastProgressAt, now),
  ])
  return html`<h2>Background work</h2>${rowTable('Background work', ['Part', 'State', 'Progress'], background, '')}
<h2>Process</h2>${factTable([
    ['Release', maintenance.release],
    ['Contracts take transactions', maintenance.policy.enabled ? 'yes' : 'no'],
    ['Money can move now', maintenance.policy.settlementReady ? 'yes' : 'no'],
    ['Up for', duration(host.uptimeSeconds)],
    ['Memory', `${Math.round(host.residentMemoryBytes / 1_048_576)} MB`],
    ['Database connections', `${pool.inUse} of ${pool.max} in use, ${pool.waiting} requests wait`],
    ['Definitions', `${hashes.checked} checked, ${hashes.drifted} differ from their hash`],
  ])}`
}

const show = async (view: View): Promise<Content> => {
  const { access, client } = view
  const [health, status] = await Promise.all([client.getHealth({}), access.may('getAdminStatus') ? client.getAdminStatus({}) : null])
  const findings = [
    ...health.warnings,
    ...(status?.anomalies ?? []).filter(({ code }) => !health.warnings.some((one) => one.code === code)),
  ]
  return {
    title: 'Health',
    lead: html`${state(codeWords(health.status), health.status === 'ok' ? 'good' : 'bad')} Version ${health.version}. Chain time ${health.chainTime === null ? 'unknown' : clockTime(Date.parse(health.chainTime))}.`,
    body: html`${counts(health)}
<h2>Findings</h2>${findingTable('Findings', findings, 'The service has found nothing wrong.')}
<h2>Parts</h2>${partTable(partsOf(health, view.now))}
${missing(health, view.now)}${status === null ? '' : statusView(status, view.now)}`,
    raw: { operation: 'getHealth', input: {} },
  }
}

/** Which parts of the service work, and what to do about those that do not. */
export const health: Page = { path: '/health', name: 'Health', group: 'Operation', operations: ['getHealth'], show }
