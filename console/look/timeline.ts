import type { Schemas } from '../../client/src/index.ts'
import { type Html, html } from '../../pages/html.ts'
import { codeWords } from '../../pages/parts.ts'
import { recordOf, textOf } from './guards.ts'
import { reasonWords } from './reasons.ts'
import { sessionLink, status, transaction, when } from './values.ts'

/** Entries on a page; the JSON has all of them. */
const SHOWN = 60

/** A change of status, or another event, with the transactions that belong to it. */
interface Step {
  entry: Schemas.TimelineEntry
  hashes: string[]
}

const hashOf = ({ data }: Schemas.TimelineEntry): string[] => {
  const hash = textOf(data.txHash)
  return hash === undefined ? [] : [hash]
}

const isTransition = ({ type }: Schemas.TimelineEntry): boolean => type === 'session_transition'

/** Steps of a timeline: the event that only repeats a change of status gives it its transaction. */
export const stepsOf = (entries: readonly Schemas.TimelineEntry[]): Step[] => {
  const steps: Step[] = []
  for (const entry of entries) {
    const repeated = isTransition(entry)
      ? undefined
      : steps.find(
          (step) =>
            isTransition(step.entry) &&
            step.entry.topic === entry.topic &&
            step.entry.sessionId === entry.sessionId &&
            step.entry.at === entry.at,
        )
    if (repeated === undefined) steps.push({ entry, hashes: hashOf(entry) })
    else repeated.hashes.push(...hashOf(entry))
  }
  return steps
}

const heading = (entry: Schemas.TimelineEntry): Html => {
  const { from, to } = entry.data
  if (!isTransition(entry) || typeof to !== 'string') return html`<b>${codeWords(entry.topic)}</b>`
  return html`${typeof from === 'string' ? html`${status(from)} to ` : ''}${status(to)}`
}

/** Amounts and plain facts at the top of an event. */
const factsOf = ({ data }: Schemas.TimelineEntry): string[] =>
  Object.entries(data).flatMap(([name, value]) => {
    const { display, asset } = recordOf(value)
    return typeof display === 'string' && typeof asset === 'string'
      ? [`${codeWords(name.replaceAll(/([A-Z])/g, ' $1'))} ${display} ${asset}`]
      : []
  })

const SOURCES: Readonly<Record<string, string>> = {
  state: 'the service',
  settlement: 'the settlement',
  chain: 'the chain',
  verification: 'the verifier',
}

/** Who did it, as far as the entry tells: a wallet or key, otherwise the part of the service. */
const actorOf = ({ data, source }: Schemas.TimelineEntry): string => {
  const facts = recordOf(data.metadata)
  const by = textOf(facts.by) ?? textOf(facts.requestedBy) ?? textOf(data.by) ?? textOf(data.requestedBy) ?? textOf(facts.handler)
  return by ?? SOURCES[source] ?? codeWords(source)
}

const reasonOf = ({ data }: Schemas.TimelineEntry): string | undefined => textOf(data.reason) ?? textOf(data.reasonCode)

const showStep = ({ entry, hashes }: Step, now: number, explorer: string | undefined, withSession: boolean): Html => {
  const reason = reasonOf(entry)
  const facts = factsOf(entry)
  const tone = entry.severity === 'info' ? '' : { html: ' class="wait"' }
  return html`<li${tone}><p>${heading(entry)} ${when(entry.at, now)}, by ${actorOf(entry)}${withSession && entry.sessionId !== null ? html`, ${sessionLink(entry.sessionId)}` : ''}</p>${
    reason === undefined ? '' : html`<p>${reasonWords(reason)}</p>`
  }${facts.length === 0 ? '' : html`<p class="soft">${facts.join(', ')}</p>`}${hashes.map((hash) => html`<p class="soft">Transaction ${transaction(hash, explorer)}</p>`)}</li>`
}

/** Everything that was recorded, in its order; of a long history the last part. */
export const timeline = (
  entries: readonly Schemas.TimelineEntry[],
  { now, explorer, withSession = false }: { now: number; explorer: string | undefined; withSession?: boolean },
): Html => {
  const steps = stepsOf(entries)
  if (steps.length === 0) return html`<p>Nothing was recorded yet.</p>`
  const left = steps.length - SHOWN
  return html`${left > 0 ? html`<p class="soft">The last ${SHOWN} entries. The JSON has the ${left} before them, too.</p>` : ''}<ol class="steps">${steps.slice(-SHOWN).map((step) => showStep(step, now, explorer, withSession))}</ol>`
}
