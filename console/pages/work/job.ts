import { formatJson, type Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { codeWords, duration, factTable, identifier } from '../../../pages/parts.ts'
import { actionLinks } from '../../actions/action.ts'
import { delistJob, JOB_STEPS } from '../../actions/jobs.ts'
import { fireTemplate, pauseTemplate, resumeTemplate } from '../../actions/templates.ts'
import { NoPage } from '../../http/failures.ts'
import { decimalsOf, wholeUnits } from '../../look/bars.ts'
import { reasonWords } from '../../look/reasons.ts'
import { timeline } from '../../look/timeline.ts'
import { address, deadline, jobLink, link, sessionLink, status, walletLink, when } from '../../look/values.ts'
import type { Content, Page, View } from '../../view.ts'
import { payerOf, rewardOf } from './jobs.ts'

type Job = Schemas.Job
type Answer = Awaited<ReturnType<View['client']['getJobTimeline']>>

/** Ids of a list on the page; the JSON has all. */
const IDS = 20

const idList = (ids: readonly string[], show: (id: string) => Html): Html | null =>
  ids.length === 0
    ? null
    : html`${ids.slice(0, IDS).map((id, place) => html`${place === 0 ? '' : ', '}${show(id)}`)}${ids.length > IDS ? ` and ${ids.length - IDS} more` : ''}`

const stepsOf = (view: View, job: Job): Html | string => {
  const subject = { jobId: job.id }
  const { status: life, state } = job.lifecycle
  const isPaused = life === 'paused'
  const steps =
    job.recurring === true
      ? [...(isPaused ? [resumeTemplate] : [fireTemplate, pauseTemplate])]
      : [
          ...(life === 'open' && state !== 'stale' ? [JOB_STEPS.pause] : [JOB_STEPS.reopen]),
          ...(job.lane === undefined && life !== 'archived' ? [delistJob] : []),
        ]
  const last = life === 'archived' ? [] : [JOB_STEPS.archive]
  // A posting that was taken out of the catalogue does not come back.
  const ended = job.listingStatus === 'delisted' ? [] : [JOB_STEPS.reopen]
  const offered = life === 'archived' ? ended : [...steps, ...last]
  return actionLinks(
    view,
    offered.map((action) => [action, subject] as const),
  )
}

/** The reserve of a template, with the decimals of its reward. */
const reserveOf = (job: Job): string | null => {
  if (job.reserveAmountRaw === undefined) return null
  const decimals = decimalsOf(BigInt(job.rewardAmountRaw), job.rewardAmount)
  return decimals === null
    ? `${job.reserveAmountRaw} base units`
    : `${wholeUnits(BigInt(job.reserveAmountRaw), decimals)} ${job.rewardAsset}`
}

const stateFacts = (job: Job, view: View): Html =>
  factTable([
    ['State', status(job.effectiveState)],
    ['Why', reasonWords(job.reason)],
    [
      'Held by',
      job.claimedBy === null ? null : view.access.may('listAdminWallets') ? walletLink(job.claimedBy) : identifier(job.claimedBy),
    ],
    ['Claim ends', job.claimExpiresAt === null || job.sessionId === null ? null : deadline(job.claimExpiresAt, view.now)],
    // Who may read the money of any session may read the session; another reader has the own ones on the start page.
    ['Session', job.sessionId === null || !view.access.may('getSessionMoney') ? null : sessionLink(job.sessionId)],
    ['Attempts left', job.remainingClaimAttempts === null ? 'no limit' : job.remainingClaimAttempts],
    ['Created', when(job.lifecycle.createdAt, view.now)],
    ['Changed', when(job.lifecycle.updatedAt, view.now)],
    ['Stale', job.lifecycle.staleAt === null ? null : when(job.lifecycle.staleAt, view.now)],
  ])

const termFacts = (job: Job): Html =>
  factTable([
    ['Job', identifier(job.id)],
    ['Reward', rewardOf(job)],
    ['Paid by', payerOf(job)],
    ['Tier and kind', `${job.tier}, ${codeWords(job.category)}`],
    ['Verified by', codeWords(job.verifierMode)],
    ['Time to submit', duration(job.claimTtlSeconds)],
    ['Bond', job.onboardingWaiverEligible ? 'waived for the first claims of a wallet' : 'demanded'],
    ['Schedule', job.schedule === undefined ? null : `${job.schedule.cron} ${job.schedule.timezone}`],
    ['Runs at most', job.maxRuns],
    ['Reserve', reserveOf(job)],
    ['First and last run', job.startAt || job.endAt ? `${job.startAt ?? 'now'} to ${job.endAt ?? 'no end'}` : null],
  ])

const terms = (job: Job): Html =>
  html`<h2>Terms</h2><div class="quote">${job.description}</div>${
    job.acceptanceCriteria === undefined || job.acceptanceCriteria.length === 0
      ? ''
      : html`<h3>What is accepted</h3><ul>${job.acceptanceCriteria.map((criterion) => html`<li>${criterion}</li>`)}</ul>`
  }<details><summary>Configuration of the verifier</summary><pre class="lines" tabindex="0">${formatJson(job.verifierConfig, 2)}</pre></details>`

const lineageFacts = ({ lineage, summary }: Answer): Html =>
  factTable([
    ['Sessions', idList(lineage.sessionIds, sessionLink) ?? 'None yet: it was never claimed.'],
    ['Active of them', idList(summary.activeSessionIds, sessionLink)],
    ['Template', lineage.templateId === null ? null : jobLink(lineage.templateId)],
    ['Runs of the template', idList(lineage.derivativeJobIds, jobLink)],
    ['Caused by', lineage.parentSessionId === null ? null : sessionLink(lineage.parentSessionId)],
    ['Jobs that it caused', idList(lineage.childJobIds, jobLink)],
  ])

/** What operators see beside the terms: relatives and history, one page of it. */
const history = (found: Answer, { now, query, settings }: View): Html => {
  const { jobId = '', cursor } = query
  const next = found.nextCursor === null ? '' : link(address('/job', { jobId, cursor: found.nextCursor }), 'Next entries')
  const first = cursor === undefined ? '' : link(address('/job', { jobId }), 'First entries')
  const entries = timeline(found.timeline, { now, explorer: settings.EXPLORER_URL, withSession: found.lineage.sessionIds.length > 1 })
  return html`<h2>Sessions and relatives</h2>${lineageFacts(found)}<h2>Timeline</h2>${entries}<p>${first} ${next}</p>`
}

const show = async (view: View): Promise<Content> => {
  const { jobId, cursor } = view.query
  if (!jobId) throw new NoPage()
  const input = { jobId, ...(cursor && { cursor }) }
  const found = view.access.may('getJobTimeline') ? await view.client.getJobTimeline(input) : null
  const job = found?.job ?? (await view.client.getJobDefinition({ jobId }))
  return {
    title: job.title,
    lead: html`${status(job.effectiveState)} ${reasonWords(job.reason)} ${rewardOf(job)}.`,
    body: html`${stepsOf(view, job)}
<div class="two"><div>${stateFacts(job, view)}</div><div>${termFacts(job)}</div></div>
${terms(job)}
${found === null ? '' : history(found, view)}`,
    live: cursor === undefined ? { jobId } : 'none',
    raw: found === null ? { operation: 'getJobDefinition', input: { jobId } } : { operation: 'getJobTimeline', input },
  }
}

/** One job: its terms and state, and for operators its sessions and history. */
export const job: Page = { path: '/job', name: 'Job', operations: ['getJobDefinition'], show }
