import { expect, test } from '@jest/globals'
import { load } from 'js-yaml'
import { files, read } from '../files.ts'
import { anchorsOf, captured } from '../texts/documents.ts'

const PAGE = 'docs/incidents.md'
const OPERATIONS = 'docs/operations.md'
const page = read(PAGE)

/** Cards by heading: sections that have a signal. */
const cards = new Map(
  page
    .split(/^#{2,3} /m)
    .filter((text) => text.includes('**Signal:**'))
    .map((text) => [text.slice(0, text.indexOf('\n')), text]),
)
const signals = [...cards.values()].map((text) => text.slice(text.indexOf('**Signal:**'), text.indexOf('**Check:**')))

interface Rule {
  alert: string
  labels: { severity: string }
}
const rules = (load(read('operate/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules)

test('each incident that an operator must expect has a card', () => {
  expect([...cards.keys()]).toEqual(
    expect.arrayContaining([
      ...['Engine away', 'Chain stuck', 'Node of the chain dies', 'Nonce stuck', 'Disk full', 'Database fail-over'],
      ...["Operator's key", "Verifier's key", "Arbitrator's key", 'Key of access tokens', 'Key of badges and receipts', 'Payload key'],
      ...['Bad verdict', 'Source poisoned', 'Capture of a payment unknown', 'Build that breaks replay', 'Workflow code that fails'],
      'Leaked service token',
    ]),
  )
})

test('each card has signal, check and remedy in this order, and a command to check', () => {
  const whole = /^\*\*Signal:\*\* .+?^\*\*Check:\*\*.*?^```sh\n.+?^```\n.*?^\*\*Do:\*\*/ms
  expect([...cards].filter(([, text]) => !whole.test(text)).map(([heading]) => heading)).toEqual([])
})

test('each critical alarm is the signal of a card, and cards name no other alarm than those of the rules', () => {
  const named = new Set(signals.flatMap((text) => captured(text, /`((?:[A-Z][a-z]+){2,})`/g)))
  const critical = rules.filter(({ labels }) => labels.severity === 'critical').map(({ alert }) => alert)
  expect(critical.filter((alert) => !named.has(alert))).toEqual([])
  expect([...named].filter((name) => !rules.some(({ alert }) => alert === name))).toEqual([])
})

test('the cards quote sentences of the log that the source has, and codes that it or operations.md has', () => {
  const source = files()
    .filter((path) => /^(?:activities|api|domain|schemas|workers)\/.*\.ts$/.test(path))
    .map(read)
    .join('\n')
  const sentences = captured(page, /\blogs? `([^`]+)`/g)
  const codes = captured(page, /`([a-z]+(?:_[a-z]+)+)`/g)
  expect(sentences.length).toBeGreaterThan(4)
  const isUnknown = (text: string) => (quoted: string) => !text.includes(quoted)
  expect(sentences.filter(isUnknown(source))).toEqual([])
  expect(codes.filter(isUnknown(`${source}${read(OPERATIONS)}`))).toEqual([])
})

test('the cards link to sections that exist', () => {
  const [own, other] = [anchorsOf(PAGE), anchorsOf(OPERATIONS)]
  expect(captured(page, /\]\(#([^)]+)\)/g).filter((anchor) => !own.includes(anchor))).toEqual([])
  expect(captured(page, /\]\(operations\.md#([^)]+)\)/g).filter((anchor) => !other.includes(anchor))).toEqual([])
})
