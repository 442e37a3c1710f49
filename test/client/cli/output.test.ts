import { describe, expect, test } from '@jest/globals'
import { EXIT } from '../../../client/cli/failures.ts'
import { parseUnits, wholeUnits } from '../../../client/cli/output/amounts.ts'
import { commandFor, describeActions } from '../../../client/cli/output/next-actions.ts'
import { createOutput } from '../../../client/cli/output/output.ts'
import { describeProblem, exitOf } from '../../../client/cli/output/problem.ts'
import { columnsOf, formatPairs, formatTable, printable, truncate, wrap } from '../../../client/cli/output/text.ts'
import { run } from '../../../client/cli/run.ts'
import type { ErrorCode, NextAction } from '../../../client/src/generated/operations.ts'
import type { ProblemDocument } from '../../../client/src/problems.ts'
import { ERRORS } from '../../../schemas/errors.ts'

const sink = () => {
  const written: string[] = []
  return { written, write: (text: string) => written.push(text) }
}

describe('text', () => {
  test('of another author has no control characters', () => {
    expect(printable('a\x1b[31mb\u202Ec\r\u0007\u2028')).toBe('a?[31mb?c???')
  })

  test('is cut at a whole character and ends with an ellipsis', () => {
    expect(truncate('short', 10)).toBe('short')
    expect(truncate('a longer text', 8)).toBe('a longe…')
    expect(truncate('👩‍👩‍👧 family', 4)).toBe('👩‍👩‍👧…')
    expect(columnsOf('日本')).toBe(4)
  })

  test('is wrapped at spaces; a long word keeps its line', () => {
    expect(wrap('one two three', { columns: 7 })).toEqual(['one two', 'three'])
    expect(wrap(`a ${'x'.repeat(20)} b`, { columns: 7 })).toEqual(['a', 'x'.repeat(20), 'b'])
    expect(wrap('')).toEqual([])
  })

  test('in pairs is aligned and leaves out what has no value', () => {
    expect(
      formatPairs([
        ['Job', 'a'],
        ['Reward', null],
        ['Session', 'b'],
      ]),
    ).toEqual(['Job      a', 'Session  b'])
  })
})

describe('a table', () => {
  const columns = [
    { title: 'ID', value: ({ id }: { id: string; title: string }) => id },
    { title: 'TITLE', value: ({ title }: { id: string; title: string }) => title, shrinks: true },
    { title: 'SUM', value: () => '2.5', align: 'right' as const },
  ]

  test('is aligned and ends at column 100', () => {
    const lines = formatTable(columns, [
      { id: 'a', title: 'long '.repeat(40) },
      { id: 'an-id-that-is-never-cut', title: 'two\nlines \x1b[2J' },
    ])
    expect(lines.map(columnsOf)).toEqual([100, 100, 100])
    expect(lines[2]).toMatch(/^an-id-that-is-never-cut {2}two lines \?\[2J +2\.5$/)
    expect(lines.every((line) => line.endsWith('2.5') || line.endsWith('SUM'))).toBe(true)
  })

  test('that fits is no wider than its content', () => {
    expect(formatTable(columns, [{ id: 'a', title: 'b' }])).toEqual(['ID  TITLE  SUM', 'a   b      2.5'])
  })
})

describe('amounts', () => {
  test.each([
    [0n, 6, '0'],
    [1n, 6, '0.000001'],
    [2_500_000n, 6, '2.5'],
    [10_000_000n, 6, '10'],
    [7n, 0, '7'],
    [70n, 0, '70'],
    [123_456_789_012_345_678_901n, 18, '123.456789012345678901'],
  ])('%s with %s decimals is %s in whole units', (raw, decimals, text) => {
    expect(wholeUnits(raw, decimals)).toBe(text)
    if (raw > 0n) expect(parseUnits(text, { symbol: 'USDC', decimals })).toBe(raw)
  })

  test.each(['', '0', '0.0', '-1', '+1', '1e3', '1,5', '.5', '1.', ' 1', '0x10', '1.0000001', '1'.repeat(31)])('%j is refused', (text) => {
    expect(() => parseUnits(text, { symbol: 'USDC', decimals: 6 })).toThrow(expect.objectContaining({ exit: EXIT.usage }))
  })
})

describe('output', () => {
  test('of a failure or a remark never holds a registered secret, also within a JSON document', () => {
    const [out, error] = [sink(), sink()]
    const [forPrograms, forPeople] = [true, false].map((isJson) => createOutput({ out, error, isJson, noColour: false }))
    for (const output of [forPrograms, forPeople]) for (const secret of ['pass "word"', '0123456789abcdef']) output?.hide(secret)
    const document = { text: 'it is pass "word"', key: '0x0123456789abcdef' }
    forPrograms?.fail({ document, lines: [] })
    forPeople?.fail({ document, lines: [`it is ${JSON.stringify('pass "word"')}`] })
    forPeople?.show('pass "word"')
    forPeople?.note('0x0123456789abcdef')
    const [first = '', ...others] = error.written
    expect(JSON.parse(first)).toEqual({ text: 'it is [secret]', key: '0x[secret]' })
    expect(others).toEqual(['it is "[secret]"\n', '[secret]\n', '0x[secret]\n'])
    expect(out.written).toEqual([])
  })

  test.each(['help', 'nowhere'])('of the command %s keeps its members when the passphrase is an ordinary word', async (name) => {
    const [out, error] = [sink(), sink()]
    const env = { AGENT_WORK_PASSPHRASE: name === 'help' ? 'commands' : 'detail' }
    await run([name, '--json'], { env, out, error, interruption: new AbortController().signal })
    const document: unknown = JSON.parse(out.written.join('') || error.written.join(''))
    expect(document).toMatchObject(name === 'help' ? { commands: expect.any(Array) } : { detail: expect.any(String) })
    expect(out.written.join('')).not.toContain('[secret]')
  })

  test('for programs is one document, with integers of any size as digits', () => {
    const [out, error] = [sink(), sink()]
    const output = createOutput({ out, error, isJson: true, noColour: false })
    output.progress('a change')
    output.note('a remark')
    output.report({ document: { raw: 2n ** 80n }, lines: ['a line'] })
    expect(JSON.parse(out.written.join(''))).toEqual({ raw: '1208925819614629174706176' })
    expect(error.written).toEqual([])
  })

  test.each([
    [true, false, '\x1b[1mTitle\x1b[22m'],
    [true, true, 'Title'],
    [false, false, 'Title'],
  ])('at a terminal %s, with NO_COLOR %s, has headings as %j', (isTTY, noColour, expected) => {
    const output = createOutput({ out: { ...sink(), isTTY }, error: sink(), isJson: false, noColour })
    expect(output.bold('Title')).toBe(expected)
  })
})

const problem = (changes: Partial<ProblemDocument> = {}): ProblemDocument => ({
  type: 'about:blank',
  title: 'Balance too low',
  status: 409,
  detail: 'The account lacks money.',
  code: 'insufficient_liquidity',
  requestId: 'r-1',
  retryable: false,
  nextActions: [],
  ...changes,
})

describe('a problem document', () => {
  test('is shown as what happened, what is wrong and what to do, with commands', () => {
    const lines = describeProblem(
      problem({
        errors: [{ pointer: '/amount', rule: 'minimum', message: 'is too\x1b[2J low' }],
        details: { shortfallRaw: '150000', decimals: 6 },
        nextActions: [
          { kind: 'http', method: 'POST', path: '/account/deposit/transactions', description: 'Deposit.' },
          { kind: 'http', method: 'GET', path: '/pool', description: 'Read the pool.' },
          { kind: 'wait', description: 'Wait.', availableAt: '2026-01-02T03:04:05Z' },
        ],
      }),
    )
    expect(lines).toEqual([
      'Balance too low (insufficient_liquidity)',
      'The account lacks money.',
      '  /amount: is too?[2J low',
      'What to do:',
      '  Deposit.',
      '    agent-work deposit 0.15',
      '  Read the pool. (GET /pool)',
      '  Wait. From 2026-01-02T03:04:05Z on.',
      'Request r-1',
    ])
  })

  test.each<[number, ErrorCode, number]>([
    [409, 'job_already_claimed', EXIT.refused],
    [404, 'job_not_found', EXIT.refused],
    [429, 'rate_limited', EXIT.refused],
    [401, 'token_expired', EXIT.key],
    [409, 'claim_in_progress', EXIT.unknown],
    [500, 'internal_error', EXIT.unreachable],
    [502, 'blockchain_unavailable', EXIT.unreachable],
    [503, 'state_store_unavailable', EXIT.unreachable],
  ])('of %s %s ends with the exit code %s', (status, code, exit) => {
    expect(exitOf(problem({ status, code }))).toBe(exit)
  })

  test('of the error table that names a route of a command gets the command', () => {
    const sent = JSON.stringify(Object.values(ERRORS).flatMap(({ nextActions }) => nextActions))
    const actions = JSON.parse(sent) as NextAction[]
    const signIns = actions.filter(({ kind }) => kind === 'sign_in')
    expect(signIns.length).toBeGreaterThan(10)
    expect(new Set(signIns.map((action) => commandFor(action)))).toEqual(new Set(['agent-work login']))
    const claims = actions.filter(({ path }) => path === '/jobs/claim')
    expect(claims.map((action) => commandFor(action, { jobId: 'a job' }))).toEqual(claims.map(() => "agent-work claim 'a job'"))
  })

  test.each<[NextAction, Record<string, string>, string | undefined]>([
    [
      { kind: 'http', method: 'GET', path: '/session?sessionId=job%3A0xab&waitSeconds=25', description: '' },
      {},
      'agent-work watch job:0xab',
    ],
    [
      { kind: 'http', method: 'GET', path: '/jobs?state=claimable&tier=starter', description: '' },
      {},
      'agent-work jobs --claimable --tier starter',
    ],
    [{ kind: 'http', method: 'GET', path: '/jobs/preflight?jobId=$(id)', description: '' }, {}, "agent-work preflight '$(id)'"],
    [
      { kind: 'transaction', transaction: { function: 'openDispute(bytes32)' }, description: '' },
      { sessionId: 's' },
      'agent-work dispute s',
    ],
    [{ kind: 'transaction', transaction: { function: 'claimJob(bytes32)' }, description: '' }, {}, undefined],
    [{ kind: 'http', method: 'POST', path: '/admin/jobs', description: '' }, {}, undefined],
    [{ kind: 'wait', description: '' }, {}, undefined],
  ])('with the next action %j and %j offers %s', (action, facts, command) => {
    expect(commandFor(action, facts)).toBe(command)
    const lines = describeActions([{ ...action, description: 'Act.' }], facts)
    expect([lines[0]?.slice(0, 4), lines.slice(1)]).toEqual(['Act.', command === undefined ? [] : [`  ${command}`]])
  })
})
