import { type Html, html, svg } from '../../pages/html.ts'
import type { Tone } from '../../pages/parts.ts'

/** Width of a whole bar, in units of its picture. */
const WIDTH = 1_000
/** Width of the smallest part that is there at all, so that it is seen. */
const LEAST = 6

/**
 * Widths of the parts of a whole, in units of the picture; their sum is the width. Exact for amounts of any size. A part that is there has at
 * least a visible width; a part of nothing has none.
 */
export const partWidths = (parts: readonly bigint[]): number[] => {
  const total = parts.reduce((sum, part) => sum + part, 0n)
  if (total <= 0n) return parts.map(() => 0)
  const widths = parts.map((part) => (part <= 0n ? 0 : Math.max(LEAST, Number((part * BigInt(WIDTH)) / total))))
  const widest = widths.indexOf(Math.max(...widths))
  const others = widths.reduce((sum, width, place) => (place === widest ? sum : sum + width), 0)
  return widths.map((width, place) => (place === widest ? WIDTH - others : width))
}

/** A share of a whole in percent with one decimal, rounded down; `0 %` of nothing. */
export const shareWords = (part: bigint, whole: bigint): string => {
  if (whole <= 0n) return '0 %'
  const tenths = (part * 1_000n) / whole
  if (tenths === 0n && part > 0n) return '< 0.1 %'
  return `${tenths / 10n}${tenths % 10n === 0n ? '' : `.${tenths % 10n}`} %`
}

/** A part of a diagram. */
export interface BarPart {
  name: string
  raw: bigint
  tone: Tone
  /** True for a part that shares its colour with another: it is hatched. */
  isHatched?: boolean
}

const rectangle = (x: number, width: number, { tone, isHatched }: BarPart): Html =>
  svg`<rect x="${x}" y="0" width="${width}" height="28" class="${tone}"${isHatched ? { html: ' opacity=".55"' } : ''}/>`

/** One bar whose parts are as wide as their shares. `text` says the same in words. */
export const stackedBar = (text: string, parts: readonly BarPart[]): Html => {
  const widths = partWidths(parts.map(({ raw }) => raw))
  let x = 0
  const drawn = parts.map((part, place) => {
    const width = widths[place] ?? 0
    const here = width === 0 ? '' : rectangle(x, width, part)
    x += width
    return here
  })
  return html`<svg class="diagram strip" viewBox="0 0 ${WIDTH} 28" preserveAspectRatio="none" height="28" role="img" aria-label="${text}"><rect x="0" y="0" width="${WIDTH}" height="28" class="ground"/>${drawn}</svg>`
}

/** The colour of a part beside its name. */
export const swatch = ({ tone, isHatched }: Pick<BarPart, 'tone' | 'isHatched'>): Html =>
  html`<svg class="swatch" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><rect width="12" height="12" rx="2" class="${tone}"${isHatched ? { html: ' opacity=".55"' } : ''}/></svg>`

/** How much of a limit is used. More than the limit is a whole bar in the colour of a failure. */
export const usageBar = (text: string, used: bigint, limit: bigint): Html => {
  const width = limit <= 0n ? (used > 0n ? WIDTH : 0) : used >= limit ? WIDTH : Number((used * BigInt(WIDTH)) / limit)
  const tone: Tone = used > limit ? 'bad' : width >= 800 ? 'warn' : 'good'
  return html`<svg class="usage" viewBox="0 0 ${WIDTH} 28" preserveAspectRatio="none" role="img" aria-label="${text}"><rect width="${WIDTH}" height="28" class="ground"/>${width === 0 ? '' : html`<rect width="${Math.max(LEAST, width)}" height="28" class="${tone}"/>`}</svg>`
}

/** Base units as a decimal number in whole units, exact at any size. */
export const wholeUnits = (raw: bigint, decimals: number): string => {
  const sign = raw < 0n ? '-' : ''
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0')
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return `${sign}${digits.slice(0, digits.length - decimals)}${fraction === '' ? '' : `.${fraction}`}`
}

/** Decimals of an amount whose number in whole units is known, if only about; null where none fits. */
export const decimalsOf = (raw: bigint, about: number): number | null => {
  // One decimal more or less is a factor of ten, so that a number that is rounded tells them too.
  const isAbout = (found: number): boolean => Math.abs(found - about) <= Math.abs(about) * 1e-9
  for (let decimals = 0; decimals <= 30; decimals += 1) if (isAbout(Number(wholeUnits(raw, decimals)))) return decimals
  return null
}

/** Base units in whole units, exact, where only an approximate number tells the decimals; in base units where it tells none. */
export const exactUnits = (raw: bigint, about: number): string => {
  const decimals = decimalsOf(raw, about)
  return decimals === null ? `${raw} base units of` : wholeUnits(raw, decimals)
}
