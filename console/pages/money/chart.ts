import type { Schemas } from '../../../client/src/index.ts'
import { type Html, html, svg } from '../../../pages/html.ts'

const WIDTH = 720
const HEIGHT = 170
/** Room below the bars for the days, and above them for the largest amount. */
const [BELOW, ABOVE] = [22, 20]
const ROOM = HEIGHT - BELOW - ABOVE
const GAP = 3
const STEPS = 1_000n

/** Height of a bar in pixels, from amounts of any size: only their ratio becomes a number. */
const barHeight = (raw: bigint, most: bigint): number => (most === 0n ? 0 : (Number((raw * STEPS) / most) / Number(STEPS)) * ROOM)

/** Bars of what workers were paid day by day, the oldest day first; its text tells the same in words. */
export const paymentChart = (newestFirst: readonly Pick<Schemas.PaymentDay, 'day' | 'worker' | 'payments'>[]): Html => {
  const days = newestFirst.toReversed()
  const largest = days.reduce<(typeof days)[number] | undefined>(
    (found, one) => (found === undefined || one.worker.raw > found.worker.raw ? one : found),
    undefined,
  )
  const [first, last] = [days[0], days.at(-1)]
  if (largest === undefined || first === undefined || last === undefined) return svg``
  const most = largest.worker.raw
  const step = WIDTH / days.length
  const bars = days.map(({ day, worker }, index) => {
    // A payment stays visible beside a far larger one.
    const height = worker.raw === 0n ? 0 : Math.max(2, barHeight(worker.raw, most))
    return svg`<rect class="good" x="${(index * step).toFixed(1)}" y="${(ABOVE + ROOM - height).toFixed(1)}" width="${Math.max(1, step - GAP).toFixed(1)}" height="${height.toFixed(1)}"><title>${day}: ${worker.display} ${worker.asset}</title></rect>`
  })
  const words =
    most === 0n
      ? `No payment from ${first.day} to ${last.day}.`
      : `Paid to workers from ${first.day} to ${last.day}: on ${days.filter(({ payments }) => payments > 0).length} of ${days.length} days; most on ${largest.day}, ${largest.worker.display} ${largest.worker.asset}.`
  const chart = svg`<svg class="diagram" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}">
<text x="0" y="13">${most === 0n ? 'No payment' : `Most: ${largest.worker.display} ${largest.worker.asset} on ${largest.day}`}</text>
<line class="line" x1="0" x2="${WIDTH}" y1="${ABOVE + ROOM}" y2="${ABOVE + ROOM}"/>${bars}
<text x="0" y="${HEIGHT - 5}">${first.day}</text><text x="${WIDTH}" y="${HEIGHT - 5}" text-anchor="end">${last.day}</text></svg>`
  return html`${chart}<p class="soft">${words}</p>`
}
