import { z } from 'zod'
import { definitionPath } from '../../domain/catalogue/job-definition.ts'
import { type Html, html } from '../../pages/html.ts'
import {
  choices,
  codeWords,
  commands,
  duration,
  factTable,
  identifier,
  instant,
  listAddress,
  nextPage,
  rowTable,
  state,
  type Tone,
} from '../../pages/parts.ts'
import type { ClaimReason } from '../../schemas/catalogue/claim-status.ts'
import { VERIFIER_MODES } from '../../schemas/catalogue/job-terms.ts'
import type { getJobDefinition, listJobs } from '../../schemas/catalogue/operations.ts'
import { TIERS } from '../../schemas/common/tiers.ts'
import { ERRORS, isErrorCode } from '../../schemas/errors.ts'
import type { Answer } from '../../schemas/operations/operation.ts'
import { page } from '../http/pages/page.ts'
import type { OldReading, Outage } from './inventory.ts'

type ListBody = Answer<typeof listJobs>['body']
type Job = Answer<typeof getJobDefinition>['body']
type Row = Extract<ListBody['jobs'][number], { reward: string }>

const isCompact = (job: ListBody['jobs'][number]): job is Row => 'definitionUrl' in job

/** Rows of a page without `limit`. */
const USUAL_ROWS = 25

type Filters = Readonly<Record<string, string | boolean | undefined>>

/** Claim state of a job in words. */
const REASONS: Readonly<Record<ClaimReason, readonly [words: string, tone: Tone]>> = {
  claimable: ['Open', 'good'],
  claim_ttl_expired_reopen_available: ['Open again', 'good'],
  designated_claimant_authorized: ['Open for you', 'good'],
  job_claimed: ['Claimed', 'warn'],
  claimed_by_other_wallet: ['Claimed', 'warn'],
  already_claimed_by_current_wallet: ['Claimed by you', 'warn'],
  session_submitted: ['Work is being judged', 'warn'],
  job_session_completed: ['Done', 'off'],
  retry_limit_exhausted: ['No attempt is left', 'off'],
  reward_funding_pending: ['Waits for its funding', 'warn'],
  reward_funding_unverified: ['Funding not read yet', 'warn'],
  verifier_not_ready: ['Waits for its verifier', 'warn'],
  designated_claimants_only: ['For named wallets', 'off'],
  legacy_posting_unclaimable: ['Cannot be claimed', 'off'],
  external_posting_escrow_unverified: ['Escrow not read yet', 'warn'],
  external_posting_not_open_on_chain: ['Not open on chain', 'off'],
  recurring_template: ['Template', 'off'],
  job_paused: ['Paused', 'off'],
  job_archived: ['Archived', 'off'],
  job_stale: ['Listing has ended', 'off'],
  tier_locked: ['Needs a higher tier', 'off'],
}

/** A wallet can be refused by any error code, which has a title. */
const stateOf = (reason: string): Html =>
  state(...(REASONS[reason as ClaimReason] ?? [isErrorCode(reason) ? ERRORS[reason].title : codeWords(reason), 'off']))

const choiceOf = (
  filters: Filters,
  name: string,
  label: string,
  values: readonly (readonly [words: string, value: string | undefined])[],
): Html =>
  choices(
    label,
    values.map(([words, value]) => [words, listAddress('/jobs', { ...filters, [name]: value }), String(filters[name]) === String(value)]),
  )

const titled = <Value extends string>(values: readonly Value[]): [string, Value][] => values.map((value) => [codeWords(value), value])

const rowOf = ({ title, definitionUrl, reward, bond, waiverEligible, tier, reason, claimTtlSeconds }: Row): readonly (string | Html)[] => [
  html`<a href="${definitionUrl}">${title}</a>`,
  reward,
  bond === null ? 'unknown' : waiverEligible ? html`${bond} <span class="soft">none for a new wallet</span>` : bond,
  tier,
  duration(claimTtlSeconds),
  stateOf(reason),
]

/** Compact rows of jobs, as the home page shows them too. */
export const jobTable = (jobs: ListBody['jobs'], empty: string | Html): Html =>
  rowTable('Jobs', ['Job', 'Reward', 'Bond', 'Tier', 'Time to do it', 'State'], jobs.filter(isCompact).map(rowOf), empty)

/** What a page of jobs says while the chain was not read lately. */
const oldReadingNote = (old: OldReading | null): Html | string =>
  old === null
    ? ''
    : html`<p class="note">${
        old.readAt === null
          ? 'The service has not read the chain yet.'
          : html`The service read the chain last ${instant(old.readAt)}; a bond shown here is of that instant.`
      } Until it reads the chain again, no wallet can claim a job whose payment it cannot see. Load this page again in a minute.</p>`

/** What a page of jobs says while claims cannot be taken. */
export const outageNotes = ({ old, engineAwaySince }: Outage): Html =>
  html`${oldReadingNote(old)}${
    engineAwaySince === null
      ? ''
      : html`<p class="note">No claim is taken right now: a part of the service does not answer, found ${instant(engineAwaySince)}. Load this page again in a minute.</p>`
  }`

const noJobs = (isPart: boolean): Html =>
  isPart
    ? html`No job fits. <a href="/jobs">Show all jobs</a>.`
    : html`No job is listed right now. Come back later; meanwhile <a href="/docs/guides/first-badge">read how a job is done</a>.`

const leadOf = ({ claimableJobs, waiverEligibleClaimableJobs }: ListBody['inventory'], old: OldReading | null): string =>
  old === null
    ? `${claimableJobs} can be claimed now; ${waiverEligibleClaimableJobs} of them need no bond of a new wallet.`
    : 'How many can be claimed is unknown right now.'

/** Page of a list of compact rows. */
export const jobsPage = (
  { jobs, filters: applied, inventory, limit, nextCursor }: ListBody,
  { wallet, cursor }: { wallet?: string | undefined; cursor?: string | undefined },
  outage: Outage,
): string => {
  const filters = { ...applied, wallet, ...(limit !== USUAL_ROWS && { limit: String(limit) }) }
  return page(
    {
      title: 'Jobs',
      lead: leadOf(inventory, outage.old),
      answer: listAddress('/jobs', { ...filters, cursor }),
    },
    html`${outageNotes(outage)}
${choiceOf(filters, 'claimable', 'State', [
  ['Every state', undefined],
  ['Can be claimed', 'true'],
])}
${choiceOf(filters, 'waiverEligible', 'Bond', [
  ['Any bond', undefined],
  ['None for a new wallet', 'true'],
])}
${choiceOf(filters, 'tier', 'Tier', [['Every tier', undefined], ...titled(TIERS)])}
${choiceOf(filters, 'verifierMode', 'Verifier', [['Every verifier', undefined], ...titled(VERIFIER_MODES)])}
${jobTable(jobs, noJobs(cursor !== undefined || Object.values(filters).some((value) => value !== undefined)))}
${nextPage('More jobs', '/jobs', { ...applied, wallet, limit }, nextCursor)}
${inventory.asOf === undefined ? '' : html`<p class="soft">Counted ${instant(inventory.asOf)}.</p>`}`,
  )
}

/** Most bytes of one list on a page; the answer has all of it. */
const MOST_LISTED = 12_000

const list = (heading: string, items: readonly string[] | undefined): Html | string => {
  if (items === undefined || items.length === 0) return ''
  const rows: Html[] = []
  let size = 0
  for (const item of items) {
    const row = html`<li>${item}</li>`
    size += Buffer.byteLength(row.html)
    if (size > MOST_LISTED && rows.length > 0) break
    rows.push(row)
  }
  const rest = items.length - rows.length
  return html`<h2>${heading}</h2><ul>${rows}</ul>${rest === 0 ? '' : html`<p class="note">${rest} more stand in the JSON of this page.</p>`}`
}

const beginning = (id: string, baseUrl: string): Html => html`<h2>Begin</h2>
<h3>Command line</h3>
${commands(`npm run agent-work -- claim ${id} --example work.json --base-url ${baseUrl}`)}
<h3>HTTP, with the token of a sign-in</h3>
${commands(`curl -s -X POST ${baseUrl}/jobs/claim -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '${JSON.stringify({ jobId: id })}'`)}
<p><a href="/docs/sign-in">How to sign in</a>.</p>`

const Benchmark = z.object({ handler: z.literal('benchmark'), requiredKeywords: z.array(z.string()), minimumMatches: z.int() })

/** What a benchmark looks for; nothing for other verifiers. */
const keywordList = ({ verifierConfig }: Job): Html | string => {
  const { success, data } = Benchmark.safeParse(verifierConfig)
  return success ? list(`The verifier looks for at least ${data.minimumMatches} of`, data.requiredKeywords) : ''
}

/** What a claim without the waiver costs and earns, in words; `bond` is null while the chain is not read. */
interface Price {
  reward: string
  bond: string | null
  /** What an approval keeps of the reward for the gas. */
  gas: string
}

/** Record of the poster of an external job, in words; null for an operator's job. */
const posterWords = (poster: Job['poster']): string | null => {
  if (poster === undefined) return null
  const { fundedJobs, funded, judged, judgedInTime, medianSecondsToVerdict, lostDisputes, cancelled, since } = poster
  const median = medianSecondsToVerdict === null ? '' : `, half of them within ${duration(medianSecondsToVerdict)}`
  return [
    `${fundedJobs} jobs funded with ${funded.display} ${funded.asset}${since === null ? '' : ` since ${since.slice(0, 10)}`};`,
    `${judgedInTime} of ${judged} verdicts in time${median};`,
    `${lostDisputes} disputes lost, ${cancelled} jobs cancelled.`,
  ].join(' ')
}

/** Page of one job. */
export const jobPage = (job: Job, { bond, reward, gas }: Price, { outage, baseUrl }: { outage: Outage; baseUrl: string }): string => {
  const { id, title, description, claimStatus, settlement, provenance, priorityWindow, lifecycle } = job
  const answer = definitionPath(id)
  return page(
    { title, lead: description, answer, address: `${baseUrl}${answer}` },
    html`<p>${stateOf(claimStatus.reason)}</p>
${outageNotes(outage)}
${factTable([
  ['Reward', reward],
  ['Kept of it for gas', `${gas}${job.onboardingWaiverEligible ? ' – nothing from a claim without a bond' : ''}`],
  [
    'Bond',
    html`${bond ?? 'unknown: the chain was not read'}${job.onboardingWaiverEligible ? ' – none for the first claims of a wallet' : ''}`,
  ],
  ['Tier', job.tier],
  ['Time to do it', duration(job.claimTtlSeconds)],
  ['Attempts left', claimStatus.remainingClaimAttempts],
  ['Claimed by', claimStatus.claimedBy === null ? null : identifier(claimStatus.claimedBy)],
  ['Claim ends', claimStatus.claimExpiresAt === null ? null : instant(claimStatus.claimExpiresAt)],
  ['Judged', html`${settlement.description} ${job.verificationDepth ?? ''}`],
  ['Without a judgement', settlement.judgement?.description],
  ['Reserved at first', !priorityWindow ? null : html`until ${instant(priorityWindow.openAt)}`],
  ['Listed', html`${instant(job.listedAt)} by ${identifier(provenance.posterAddress ?? 'unknown')}`],
  ['Record of the poster', posterWords(job.poster)],
  ['Listing ends', lifecycle.staleAt === null ? null : instant(lifecycle.staleAt)],
  ['Id', identifier(id)],
])}
${keywordList(job)}
${list('What is accepted', job.acceptanceCriteria)}
${list('Instructions', job.agentInstructions)}
${claimStatus.claimable ? beginning(id, baseUrl) : ''}
<p>Form of the work: <a href="${job.submissionContract.outputSchemaUrl}">schema</a>.</p>`,
  )
}
