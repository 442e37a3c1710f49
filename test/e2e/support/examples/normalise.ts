import { createHash } from 'node:crypto'
import { getAddress } from 'viem'

/** What differs between two recordings of the same code: hex of 20 bytes and more, instants, days, random ids and tokens. */
const VARYING =
  /0x[0-9a-f]{40,}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z|\d{4}-\d\d-\d\d|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{10,64}\b|\beyJ[\w-]+\.[\w-]+\.[\w-]+/gi

const FIRST_INSTANT = Date.parse('2026-01-01T00:00:00.000Z')
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const digest = (text: string, digits: number): string => {
  const block = createHash('sha256').update(text).digest('hex')
  return block.repeat(Math.ceil(digits / block.length)).slice(0, digits)
}

const isInstant = (text: string): boolean => /^\d{4}-.*Z$/i.test(text)
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

/**
 * Samples for instants, epoch ms in order: those of the first minute are a second apart, later ones are whole minutes after the first, and
 * midnight stays midnight.
 */
const sampleInstants = (instants: readonly number[]): Map<number, number> =>
  new Map(
    instants.map((at, rank) => {
      const elapsedMs = at - (instants[0] ?? at)
      if (elapsedMs < MINUTE_MS) return [at, FIRST_INSTANT + rank * 1_000]
      const unitMs = at % DAY_MS === 0 ? DAY_MS : MINUTE_MS
      return [at, FIRST_INSTANT + (unitMs === DAY_MS ? Math.ceil(elapsedMs / unitMs) : Math.round(elapsedMs / unitMs)) * unitMs]
    }),
  )

/** Stands for the value of this number among those of its kind. */
const sampleOf = (value: string, number: number): string => {
  if (/^eyj/.test(value)) return 'header.payload.signature'
  if (/^0x0+$/.test(value)) return value
  if (value.startsWith('0x')) return `0x${digest(`hex ${number}`, value.length - 2)}`
  if (value.includes('-')) return `00000000-0000-4000-8000-${digest(`id ${number}`, 12)}`
  return digest(`id ${number}`, value.length)
}

/** Replaces every text in an answer, names of members too. */
const mapTexts = (value: unknown, replace: (text: string) => string): unknown => {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [replace(name), mapTexts(member, replace)]))
}

/**
 * A recorded answer in which every varying value is replaced by a sample: equal values by equal samples, in the order in which they appear,
 * and instants by a new beginning and about the same intervals. A mixed-case address stays a checksummed one.
 */
export const normalise = (answer: unknown, base: string): unknown => {
  const found: string[] = []
  const withoutHosts = mapTexts(answer, (text) => {
    found.push(...(text.match(VARYING) ?? []))
    return text
      .replaceAll(base, 'https://work.example')
      .replaceAll(new URL(base).host, 'work.example')
      .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'https://elsewhere.example')
      .replaceAll(/\b(?:127\.0\.0\.1|localhost):\d+/g, 'elsewhere.example')
  })
  const instants = [...new Set(found.filter(isInstant).map((text) => Date.parse(text)))].sort((left, right) => left - right)
  const samples = sampleInstants(instants)
  const sampleInstant = (at: number): string => new Date(samples.get(at) ?? at).toISOString()
  const others = [...new Set(found.map((text) => text.toLowerCase()))]
  const replaceValue = (value: string): string => {
    if (isInstant(value)) {
      const sample = sampleInstant(Date.parse(value))
      return value.includes('.') ? sample : sample.replace('.000Z', 'Z')
    }
    if (isDay(value)) {
      const at = instants.find((instant) => new Date(instant).toISOString().startsWith(value))
      return at === undefined ? value : sampleInstant(at).slice(0, value.length)
    }
    const sample = sampleOf(value.toLowerCase(), others.indexOf(value.toLowerCase()))
    const isMixed = value.length === 42 && value !== value.toLowerCase()
    return isMixed ? getAddress(sample as `0x${string}`) : sample
  }
  return mapTexts(withoutHosts, (text) => text.replaceAll(VARYING, replaceValue))
}
