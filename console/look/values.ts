import { type Html, html, prose } from '../../pages/html.ts'
import { type Cell, duration, identifier, state, type Tone } from '../../pages/parts.ts'
import type { Settings } from '../settings.ts'

/** An amount of an answer. `display` is in whole units, exact at any size. */
interface AssetAmount {
  asset: string
  display: string
}

/** An amount with its asset; a dash where there is none. */
export const money = (amount: AssetAmount | null | undefined): string => (amount ? `${amount.display} ${amount.asset}` : '–')

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })
const EXACT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

/** Time of the day in UTC, from epoch ms. */
export const clockTime = (now: number): Html =>
  html`<time datetime="${new Date(now).toISOString()}" data-clock>${CLOCK.format(now)} UTC</time>`

const [MINUTE_SECONDS, DAY_SECONDS] = [60, 86_400]
/** Seconds as far as a reader of a page needs them: whole minutes from the first on, and whole hours from the first day on. */
const coarse = (seconds: number): number => {
  const step = seconds >= DAY_SECONDS ? 3_600 : seconds >= MINUTE_SECONDS ? MINUTE_SECONDS : 1
  return seconds - (seconds % step)
}

/** Words of the API, whose instants become times like all others. */
export const withTimes = (text: string): Html => ({
  html: prose(text).html.replaceAll(
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g,
    (iso) => `<time datetime="${iso}">${EXACT.format(Date.parse(iso))} UTC</time>`,
  ),
})

/** An instant as its distance from `now`; the exact one appears on hover, and the key t shows it. A dash without one. */
export const when = (iso: string | null | undefined, now: number): Html | string => {
  if (iso === null || iso === undefined) return '–'
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return iso
  const seconds = coarse(Math.floor(Math.abs(now - at) / 1000))
  const words = at <= now ? `${duration(seconds)} ago` : `in ${duration(seconds)}`
  return html`<time datetime="${iso}" title="${EXACT.format(at)} UTC">${words}</time>`
}

/** A deadline: how long is left, or that it has passed. */
export const deadline = (iso: string | null | undefined, now: number): Html | string =>
  iso && Date.parse(iso) <= now ? html`${state('passed', 'bad')} ${when(iso, now)}` : when(iso, now)

const TONES: Readonly<Record<string, Tone>> = {
  claimed: 'warn',
  submitted: 'warn',
  disputed: 'warn',
  resolved: 'good',
  rejected: 'bad',
  closed: 'off',
  expired: 'off',
  timed_out: 'off',
  chain_state_diverged: 'bad',
  open: 'good',
  claimable: 'good',
  paused: 'warn',
  archived: 'off',
  active: 'good',
  revoked: 'off',
  failed: 'bad',
  live: 'good',
  mismatch: 'bad',
  captured: 'good',
  delivered: 'good',
}

/** A state of an answer as a word in a frame; one that this console does not know has no colour. */
export const status = (code: string): Html => state(code.replaceAll('_', ' '), TONES[code] ?? 'off')

/** Address of a page of the console with a query. Members without a value are left out. */
export const address = (path: string, query: Readonly<Record<string, string | number | null | undefined>> = {}): string => {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
  )
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`
}

/** A link with a text. */
export const link = (to: string, text: Cell): Html => html`<a href="${to}">${text}</a>`

/** An id as it fits into a table; the whole of it appears on hover. */
export const short = (id: string): string =>
  /^0x[0-9a-f]{40}$/i.test(id) ? `${id.slice(0, 10)}…${id.slice(-6)}` : id.length <= 30 ? id : `${id.slice(0, 20)}…${id.slice(-6)}`

const idLink =
  (path: string, member: string) =>
  (id: string): Html =>
    html`<a href="${address(path, { [member]: id })}" title="${id}"><code>${short(id)}</code></a>`

export const sessionLink = idLink('/session', 'sessionId')
export const jobLink = idLink('/job', 'jobId')
export const disputeLink = idLink('/dispute', 'disputeId')
export const walletLink = idLink('/wallet', 'wallet')

/** Address of a workflow in the Temporal UI; undefined where no UI is named. */
export const workflowAddress = ({ TEMPORAL_UI_URL: url, TEMPORAL_NAMESPACE: namespace }: Settings, id: string): string | undefined =>
  url && `${url}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(id)}`

/** A transaction: a link into the explorer where there is one. */
export const transaction = (hash: string | null | undefined, explorer: string | undefined): Html | string =>
  !hash
    ? '–'
    : explorer === undefined
      ? identifier(hash)
      : html`<a href="${explorer}/tx/${hash}" rel="noreferrer" title="${hash}"><code>${short(hash)}</code></a>`
