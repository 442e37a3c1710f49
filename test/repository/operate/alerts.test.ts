import { beforeAll, describe, expect, test } from '@jest/globals'
import { load } from 'js-yaml'
import { TASK_QUEUES } from '../../../schemas/processes.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { read } from '../files.ts'
import { anchorsOf } from '../texts/documents.ts'
import { publishedMetrics, type WatchedRow, watchedRows } from '../texts/metrics.ts'
import { promtool, testWithPromtool } from '../texts/promtool.ts'

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}
interface Case {
  alertname: string
  exp_alerts: unknown[]
}

const PAGE = 'docs/operations.md'
const rules = (load(read('operate/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules)
const cases = (load(read('operate/alerts.test.yml')) as { tests: { alert_rule_test: Case[] }[] }).tests.flatMap(
  ({ alert_rule_test }) => alert_rule_test,
)
const rows = watchedRows()
/** Rows with a threshold of their own. */
const alarming = rows.filter(({ when, remedy }) => when !== '–' && remedy !== 'the next row')

/** Words of a text of queries, such as names of metrics, labels and functions. */
const wordsIn = (text: string): Set<string> => new Set(text.match(/[a-z_]+/g))
/** A histogram is queried by its buckets. */
const usesMetric = (text: string, metric: string): boolean => wordsIn(text).has(metric) || wordsIn(text).has(`${metric}_bucket`)
/** Rules of a row: those of its metrics, without the rules for metrics that are absent. */
const rulesOf = ({ metrics }: WatchedRow): Rule[] =>
  rules.filter(({ expr }) => !expr.includes('absent(') && metrics.some((metric) => usesMetric(expr, metric)))

const UNITS = { minute: ['1m', '60'], hour: ['1h', '3600'], day: ['1d', '86400'] }
const defaults = readSettings({ DATABASE_URL: 'required', CHAIN_FILE: 'required' }) as unknown as Record<string, unknown>
/** The thresholds that a cell names, each in the forms that a rule may give it. */
const thresholdsIn = (when: string): string[][] => [
  ...[...when.matchAll(/(?<![\w.])(\d[\d,.]*)(%| minutes)?(?!\w)/g)].map(([, digits = '', unit]) => {
    const value = Number(digits.replaceAll(',', ''))
    return [unit === '%' ? String(value / 100) : unit === undefined ? String(value) : `${value}m`]
  }),
  ...Object.entries(UNITS).flatMap(([unit, forms]) => (new RegExp(`\\ban? ${unit}\\b`).test(when) ? [forms] : [])),
  ...[...when.matchAll(/([A-Z]+(?:_[A-Z]+)+)/g)].map(([, name = '']) => [String(defaults[name])]),
]
const holds = (rule: Rule, form: string): boolean =>
  `${rule.expr} ${rule.for ?? ''}`.match(/\d+(?:\.\d+)?[smhd]?/g)?.includes(form) === true

/** Anchors that a row's cell "do" links to; "the same" is the row before, "the next rows" the one after. */
const anchorsFor = (row: WatchedRow): string[] => {
  const own = [...row.remedy.matchAll(/\(#([\w-]+)\)/g)].map(([, anchor]) => anchor ?? '')
  const other = rows[rows.indexOf(row) + (row.remedy === 'the same' ? -1 : row.remedy === 'the next rows' ? 1 : 0)]
  return own.length > 0 || other === undefined || other === row ? own : anchorsFor(other)
}

describe('the alert rules', () => {
  let known: Set<string>
  beforeAll(async () => {
    known = new Set([...(await publishedMetrics()), ...rows.flatMap(({ metrics }) => metrics)])
  })

  test('have one for every threshold of the table of what to watch', () => {
    expect(alarming.length).toBeGreaterThan(40)
    expect(alarming.filter((row) => rulesOf(row).length === 0).map(({ metrics }) => metrics)).toEqual([])
  })

  test('have the thresholds of the table, and the defaults of the settings that it names', () => {
    const wrong = alarming.flatMap((row) =>
      thresholdsIn(row.when)
        .filter((forms) => !rulesOf(row).some((rule) => forms.some((form) => holds(rule, form))))
        .map((forms) => `${row.metrics.join(', ')}: no rule has ${forms[0]}`),
    )
    expect(wrong).toEqual([])
  })

  test('watch metrics that the service publishes and the table has a threshold for, or that are absent', () => {
    const named = ({ expr }: Rule) => [...wordsIn(expr)].filter((word) => known.has(word) || known.has(word.replace(/_bucket$/, '')))
    const isWatched = (rule: Rule) => alarming.some((row) => rulesOf(row).includes(rule)) || /absent\(|^up\{/.test(rule.expr)
    expect(rules.filter((rule) => !isWatched(rule)).map(({ alert }) => alert)).toEqual([])
    expect(rules.filter((rule) => named(rule).length === 0 && !rule.expr.startsWith('up{')).map(({ alert }) => alert)).toEqual([])
    const unknown = rules.flatMap(({ expr }) =>
      [...wordsIn(expr)].filter((word) => /_(total|seconds|pending|up)$/.test(word) && !known.has(word)),
    )
    expect(unknown).toEqual([])
  })

  test('name a section of operations.md, the one that the table links to', () => {
    const anchors = anchorsOf(PAGE)
    expect(rules.map(({ annotations }) => annotations.runbook).filter((link) => !anchors.includes(link.replace(`${PAGE}#`, '')))).toEqual(
      [],
    )
    const astray = alarming.flatMap((row) => {
      const linked = anchorsFor(row).map((anchor) => `${PAGE}#${anchor}`)
      return linked.length === 0 ? [] : rulesOf(row).filter(({ annotations }) => !linked.includes(annotations.runbook))
    })
    expect(astray.map(({ alert, annotations }) => `${alert}: ${annotations.runbook}`)).toEqual([])
  })

  test('watch the task queue of every kind of work', () => {
    const expr = rules.find(({ alert }) => alert === 'KindUnserved')?.expr ?? ''
    expect(
      [...expr.matchAll(/absent\(temporal_worker_task_slots_available\{task_queue="([\w-]+)"\}\)/g)].map(([, queue]) => queue),
    ).toEqual(Object.values(TASK_QUEUES))
  })

  test('have a name of their own, a severity and a sentence', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    const odd = rules.filter(({ labels, annotations }) => !/^(critical|warning)$/.test(labels.severity) || !/\.$/.test(annotations.summary))
    expect(odd.map(({ alert }) => alert)).toEqual([])
  })

  test.each([
    ['quiet', (alerts: unknown[]) => alerts.length === 0],
    ['firing', (alerts: unknown[]) => alerts.length > 0],
  ])('have each a %s case among their unit tests', (_kind, isOne) => {
    const tested = new Set(cases.filter(({ exp_alerts }) => isOne(exp_alerts)).map(({ alertname }) => alertname))
    expect(rules.filter(({ alert }) => !tested.has(alert)).map(({ alert }) => alert)).toEqual([])
  })
})

testWithPromtool('promtool accepts the alert rules, and their unit tests pass', () => {
  expect(promtool('check', 'rules', 'operate/alerts.yml')).toMatchObject({ status: 0 })
  expect(promtool('test', 'rules', 'operate/alerts.test.yml')).toMatchObject({ status: 0, stderr: '' })
})
