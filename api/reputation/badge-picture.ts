import { titleOfWork } from '../../domain/reputation/badge.ts'
import { type Html, svg as html } from '../../pages/html.ts'
import type { Answer } from '../../schemas/operations/operation.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import type { getBadge } from '../../schemas/reputation/operations.ts'
import { money } from '../http/pages/money.ts'
import { DECIDERS, outcomeOf } from './badge-page.ts'

type Badge = Answer<typeof getBadge>['body']

/** A picture loads nothing, has no style of its own and runs nothing. */
export const PICTURE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Light colours of docs/design.md: the picture is seen on pages of others. */
const [INK, SOFT, LINE, MARK, PAGE, CARD] = ['#1b2430', '#56626f', '#d5dce4', '#0b6147', '#f6f7f9', '#ffffff']
/** Left and right edge of the texts. */
const [LEFT, RIGHT] = [88, 1112]
const COLUMNS = [LEFT, 440, 792] as const
const ELLIPSIS = '…'
const CLUSTERS = new Intl.Segmenter('en', { granularity: 'grapheme' })
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

interface Font {
  size: number
  /** Room for a line, in pixels. */
  room: number
  weight?: 400 | 700
  colour?: string
}

/** Width of a character in sizes of its font, at least that of the widest common sans-serif font. */
const characterWidth = (character: string): number => {
  if (/\p{M}/u.test(character)) return 0
  if (/[fijlrt .,:;'!|()[\]-]/.test(character)) return 0.5
  if (/[a-ln-vx-z0-9"/_]/.test(character)) return 0.72
  return /[A-LN-VX-Z]/.test(character) ? 0.85 : 1.15
}

const widthOf = (text: string): number => [...text].reduce((width, character) => width + characterWidth(character), 0)

/** How many of the clusters fit into `room` sizes of the font. */
const countFitting = (clusters: readonly string[], room: number): number => {
  let used = 0
  const first = clusters.findIndex((cluster) => {
    used += widthOf(cluster)
    return used > room
  })
  return first === -1 ? clusters.length : first
}

const wrap = (clusters: readonly string[], room: number, lines: number): string[] => {
  const fitting = countFitting(clusters, room)
  if (fitting === clusters.length) return [clusters.join('')]
  if (lines === 1) {
    const kept = clusters.slice(0, countFitting(clusters, room - characterWidth(ELLIPSIS)))
    return [`${kept.join('').trimEnd()}${ELLIPSIS}`]
  }
  const space = clusters.lastIndexOf(' ', fitting)
  const [end, next] = space > 0 ? [space, space + 1] : [fitting, fitting]
  return [clusters.slice(0, end).join(''), ...wrap(clusters.slice(next), room, lines - 1)]
}

/** The text without what XML refuses and what turns the direction of others, in at most `lines` lines; the rest is cut off. */
const linesOf = (text: string, { size, room }: Font, lines: number): string[] => {
  const plain = text.replaceAll(/\s+/g, ' ').replaceAll(/\p{C}/gu, '').trim()
  return wrap(
    [...CLUSTERS.segment(plain)].map(({ segment }) => segment),
    room / size,
    lines,
  )
}

const draw = (line: string, x: number, y: number, { size, weight = 400, colour = INK }: Omit<Font, 'room'>): Html =>
  html`<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${colour}">${line}</text>`

const text = (content: string, x: number, y: number, font: Font): Html => draw(linesOf(content, font, 1)[0] ?? '', x, y, font)

const fact = (name: string, value: string, x: number, y: number, room: number): Html =>
  html`${draw(name, x, y, { size: 22, colour: SOFT })}${text(value, x, y + 38, { size: 30, weight: 700, room })}`

/** An address by its ends. */
const shortAddress = (address: string): string => `${address.slice(0, 6)}${ELLIPSIS}${address.slice(-4)}`

/** A session by its job, the ends of its wallet and the number of its attempt. */
const shortSession = (sessionId: string): string => sessionId.replace(/0x[0-9a-fA-F]{40}/, shortAddress)

const TITLE: Font = { size: 52, weight: 700, room: RIGHT - LEFT }
const COLUMN = COLUMNS[1] - COLUMNS[0] - 20

/** Picture of a badge as SVG, 1200 × 630, as links on other pages show it. */
export const badgePicture = ({ name, description, service, resolution }: Badge): string => {
  const title = titleOfWork(description)
  const [first = '', second = ''] = linesOf(title, TITLE, 2)
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630" role="img" font-family="system-ui, sans-serif">
<title>${linesOf(name, { size: 1, room: 200 }, 1)[0] ?? ''}</title>
<rect width="1200" height="630" fill="${PAGE}"/><rect x="40" y="40" width="1120" height="550" rx="20" fill="${CARD}" stroke="${LINE}" stroke-width="2"/>
<rect x="${LEFT}" y="76" width="48" height="48" rx="10" fill="${MARK}"/><path d="M100 101l8 8 17-18" fill="none" stroke="${CARD}" stroke-width="6"/>
${text(PRODUCT_NAME, 152, 110, { size: 28, weight: 700, room: 560 })}
<rect x="812" y="76" width="300" height="48" rx="24" fill="none" stroke="${MARK}" stroke-width="2"/><text x="962" y="108" font-size="24" font-weight="700" fill="${MARK}" text-anchor="middle">${outcomeOf(resolution)[0]}</text>
${draw(first, LEFT, 204, TITLE)}${draw(second, LEFT, 268, TITLE)}
${fact('Paid', money(service.reward), COLUMNS[0], 342, COLUMN)}${fact('Decided', DAY.format(new Date(service.completedAt)), COLUMNS[1], 342, COLUMN)}${fact('Done by', shortAddress(service.worker), COLUMNS[2], 342, RIGHT - COLUMNS[2])}
${fact('Decided by', DECIDERS[resolution.kind], LEFT, 428, RIGHT - LEFT)}
${fact('Session', shortSession(service.sessionId), LEFT, 514, RIGHT - LEFT)}
</svg>`.html
}
