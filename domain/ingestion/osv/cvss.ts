/** Weights of the base metrics. Source: Common Vulnerability Scoring System 3.1, 7.4. */
const WEIGHTS = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
} as const
const PRIVILEGES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  U: { N: 0.85, L: 0.62, H: 0.27 },
  C: { N: 0.85, L: 0.68, H: 0.5 },
}

/** Smallest number with one decimal place that is not below the value. Source: the same, appendix A. */
const roundUp = (value: number): number => {
  const whole = Math.round(value * 100_000)
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10
}

const metricsOf = (vector: string): ReadonlyMap<string, string> =>
  new Map(
    vector.split('/').flatMap((part) => {
      const [name = '', value] = part.split(':')
      return value === undefined ? [] : [[name, value] as const]
    }),
  )

/** Base score of a vector of version 3.0 or 3.1, from 0 to 10; null for any other text. */
export const cvssBaseScore = (vector: string): number | null => {
  if (vector.length > 200 || !/^CVSS:3\.[01]\//.test(vector)) return null
  const metrics = metricsOf(vector)
  const weight = (name: keyof typeof WEIGHTS): number => {
    const table: Readonly<Record<string, number>> = WEIGHTS[name]
    return table[metrics.get(name) ?? ''] ?? Number.NaN
  }
  const scope = metrics.get('S') ?? ''
  const privileges = PRIVILEGES[scope]?.[metrics.get('PR') ?? ''] ?? Number.NaN
  const loss = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'))
  const impact = scope === 'U' ? 6.42 * loss : 7.52 * (loss - 0.029) - 3.25 * (loss - 0.02) ** 15
  const exploitability = 8.22 * weight('AV') * weight('AC') * privileges * weight('UI')
  if (Number.isNaN(impact + exploitability)) return null
  if (impact <= 0) return 0
  return roundUp(Math.min((scope === 'U' ? 1 : 1.08) * (impact + exploitability), 10))
}

/** Lowest score of each severity that databases name by a word. */
const WORDS: Readonly<Record<string, number>> = { CRITICAL: 9, HIGH: 7, MODERATE: 4, MEDIUM: 4, LOW: 0.1 }

/** Severity of an advisory: its highest score, else the least of its word; null without both. */
export const severityOf = (vectors: readonly string[], word: string | null): number | null => {
  const scores = vectors.map(cvssBaseScore).filter((score) => score !== null)
  if (scores.length > 0) return Math.max(...scores)
  return WORDS[(word ?? '').toUpperCase()] ?? null
}
