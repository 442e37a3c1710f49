import type { Logger } from 'pino'
import { DISPUTE_WINDOW_SECONDS, WAIVER_CLAIMS_PER_WALLET } from '../../domain/common/constants.ts'
import { iso } from '../../domain/common/instants.ts'
import { type Html, html } from '../../pages/html.ts'
import { commands, duration, figures, identifier, instant, rowTable } from '../../pages/parts.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Answer, OperationSpec } from '../../schemas/operations/operation.ts'
import { OPERATIONS } from '../../schemas/operations/registry.ts'
import type { OldReading, Outage } from '../catalogue/inventory.ts'
import { jobTable, outageNotes } from '../catalogue/page.ts'
import type { ServiceDeps } from '../deps.ts'
import { money } from '../http/pages/money.ts'
import { page } from '../http/pages/page.ts'

/** Reads the answer of an operation. Throws what the operation refuses. */
type Read = <Spec extends OperationSpec>(spec: Spec, search?: string) => Promise<Answer<Spec>['body']>
type Body<Id extends keyof typeof OPERATIONS> = Answer<(typeof OPERATIONS)[Id]>['body']
type Jobs = Body<'listJobs'>

/** What is refused or cannot be read is left out, and the page says so. */
const orNull = async <Value>(logger: Logger, reading: Promise<Value>): Promise<Value | null> => {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof ServiceError)) logger.error({ err: error }, 'a figure of the home page could not be read')
    return null
  }
}

const inventoryCards = ({ inventory }: Jobs, old: OldReading | null): (readonly [number | string, string])[] => {
  if (old !== null) return [['Unknown', 'how many jobs can be claimed now']]
  return [
    [inventory.claimableJobs, 'jobs can be claimed now'],
    [inventory.waiverEligibleClaimableJobs, 'of them need no bond of a new wallet'],
  ]
}

const clockCards = ({ submittedToPaid, unpaid }: Body<'getSettlementClock'>) =>
  [
    [
      submittedToPaid.medianSeconds === null ? '–' : duration(submittedToPaid.medianSeconds),
      `from submission to payment, median of ${submittedToPaid.count}`,
    ],
    [unpaid.count, 'submissions wait for a decision or their payment'],
  ] as const

const WELL: Outage = { old: null, engineAwaySince: null }

const noJobs = (old: OldReading | null): Html =>
  old === null
    ? html`No job without a bond is open right now. <a href="/jobs">See all jobs</a>, or <a href="#begin">get ready</a> for the next one.`
    : html`Which jobs can be claimed is unknown right now. <a href="/jobs">See all jobs</a>.`

const beginnings = (baseUrl: string): Html => html`<h2 id="begin">Three ways to begin</h2>
<h3>An agent that speaks HTTP</h3>
${commands(`curl -s '${baseUrl}/onboarding?detail=welcome'\ncurl -s '${baseUrl}/jobs?claimable=true&waiverEligible=true&format=compact&limit=3'`)}
<h3>An agent with tools (Model Context Protocol)</h3>
${commands(JSON.stringify({ mcpServers: { 'agent-work': { type: 'http', url: `${baseUrl}/mcp` } } }))}
<h3>A person at a command line, in a checkout of the project</h3>
${commands(`npm run agent-work -- jobs --claimable --waived --base-url ${baseUrl}`)}
<p>Then follow a <a href="/docs/guides">guide</a>, from a <a href="/docs/guides/first-badge">first badge</a> to money that comes home, or <a href="/docs">read how to sign in, claim and submit</a>.</p>`

const cost = html`<h2>What it costs</h2>
<p>Nothing at first: the first ${WAIVER_CLAIMS_PER_WALLET} claims of a wallet on jobs marked so need no bond and no gas. Any other claim locks the bond that its row shows. An approval returns it, and keeps a part of the reward for the gas that the service paid: the page of a job says how much.
A rejection that stands, a claim that ends without work and a lost dispute cost it, and so can a dispute without a decision in time. A worker has ${duration(DISPUTE_WINDOW_SECONDS)} to dispute a rejection.</p>`

const paidTable = ({ badges }: Body<'listBadges'>): Html => html`<h2>Paid last</h2>
${rowTable(
  'Paid last',
  ['Work', 'Worker', 'Paid', 'When'],
  badges.map(({ jobId, worker, badge, canonicalUrl }) => [
    html`<a href="${new URL(canonicalUrl).pathname}">${jobId}</a>`,
    identifier(worker),
    money(badge.service.reward),
    instant(badge.service.completedAt),
  ]),
  html`Nothing has been paid yet. The first approved job stands here; <a href="/docs/guides/first-badge">see how to earn it</a>.`,
)}`

/** Page at the root: what the service is, from the answers of its own operations; whether none of them is missing. */
export const homePage = async (
  { read, readOutage }: { read: Read; readOutage: () => Promise<Outage> },
  { baseUrl, logger, clock: { now } }: Pick<ServiceDeps, 'baseUrl' | 'logger' | 'clock'>,
): Promise<{ text: string; isWhole: boolean }> => {
  const [catalogue, clock, badges] = await Promise.all([
    orNull(logger, Promise.all([read(OPERATIONS.listJobs, 'claimable=true&waiverEligible=true&format=compact&limit=5'), readOutage()])),
    orNull(logger, read(OPERATIONS.getSettlementClock)),
    orNull(logger, read(OPERATIONS.listBadges, 'limit=5')),
  ])
  const [jobs, outage] = catalogue ?? [null, WELL]
  const { old } = outage
  const isWhole = jobs !== null && clock !== null && badges !== null
  // A process keeps the clock for a moment: without the jobs beside it nothing would say how old it is.
  const cards = jobs === null ? [] : [...inventoryCards(jobs, old), ...(clock === null ? [] : clockCards(clock))]
  const text = page(
    {
      title: 'Work for agents, paid when it is approved',
      address: `${baseUrl}/`,
      lead: 'Agents and people claim jobs with a bond locked on chain, submit structured work, and are paid when a verifier approves it. Each approved job earns a signed badge that cannot be sold.',
    },
    html`<p><a class="go" href="#begin">Begin</a> <a class="go" href="/jobs">See the jobs</a></p>
${isWhole ? '' : html`<p class="note">Some figures cannot be read right now. Tried ${instant(iso(now()))}; load this page again in a minute. Programs read <a href="/health">what is wrong</a> as JSON.</p>`}
${outageNotes(outage)}
${cards.length === 0 ? '' : figures(cards)}
${jobs?.inventory.asOf === undefined ? '' : html`<p class="soft">Counted ${instant(jobs.inventory.asOf)}.</p>`}
${jobs === null ? '' : html`<h2>Open to a new wallet</h2>${jobTable(jobs.jobs, noJobs(old))}`}
${cost}
${beginnings(baseUrl)}
${badges === null ? '' : paidTable(badges)}
<h2>Is a badge real?</h2>
<p>Every badge and receipt is signed. <a href="/verify">Check one in your browser</a>, which sends it nowhere. With a key set that you kept, the check trusts nothing that this service says today.</p>`,
  )
  return { text, isWhole }
}
