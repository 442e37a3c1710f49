import { describe, expect, test } from '@jest/globals'
import { optionsOf, parseCommandLine } from '../../../client/cli/arguments.ts'
import { COMMANDS, GLOBAL_OPTIONS, JOB_TIERS, STATES, VERIFIERS } from '../../../client/cli/commands.ts'
import { CliError, EXIT, EXIT_CODES } from '../../../client/cli/failures.ts'
import { commandHelp, overview } from '../../../client/cli/help.ts'
import { ROUTES_WITH_COMMAND } from '../../../client/cli/output/next-actions.ts'
import { columnsOf } from '../../../client/cli/output/text.ts'
import { CLAIM_STATES } from '../../../schemas/catalogue/claim-status.ts'
import { VERIFIER_MODES } from '../../../schemas/catalogue/job-terms.ts'
import { TIERS } from '../../../schemas/common/tiers.ts'
import { OPERATIONS, operationList } from '../../../schemas/operations/registry.ts'

const SECRET = 'correct-horse-battery'

const refusal = (args: readonly string[]): CliError => {
  try {
    parseCommandLine(args)
  } catch (error) {
    if (error instanceof CliError) return error
    throw error
  }
  throw new Error('the arguments are accepted')
}

describe('the table of commands', () => {
  test('names only operations of the registry', () => {
    expect(COMMANDS.flatMap(({ operations }) => operations).filter((id) => !(id in OPERATIONS))).toEqual([])
  })

  test('offers the filters of the registry', () => {
    expect([...STATES].sort()).toEqual([...CLAIM_STATES].sort())
    expect(JOB_TIERS).toEqual(TIERS)
    expect([...VERIFIERS].sort()).toEqual([...VERIFIER_MODES].sort())
  })

  test('is that of the routes which problem documents name', () => {
    const known = operationList.map(({ method, path }) => `${method} ${path}`)
    expect(ROUTES_WITH_COMMAND.filter((route) => !known.includes(route))).toEqual([])
  })

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    '%s has a name, a summary and no option of two meanings',
    (name, command) => {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(command.summary).not.toMatch(/^[A-Z]|\.$/)
      expect(Object.keys(command.options).filter((option) => option in GLOBAL_OPTIONS)).toEqual([])
      expect(COMMANDS.filter((one) => one.name === name)).toHaveLength(1)
    },
  )
})

describe('the help', () => {
  test('shows every command, every global option and every exit code within 100 columns', () => {
    const lines = overview()
    const text = lines.join('\n')
    for (const { name, summary } of COMMANDS) expect(text.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`${name} .*${summary.slice(0, 20)}`))
    for (const name of Object.keys(GLOBAL_OPTIONS)) expect(text).toContain(`--${name}`)
    for (const [code, meaning] of EXIT_CODES) expect(text.replaceAll(/\s+/g, ' ')).toContain(`${code} ${meaning}`)
    expect(lines.filter((line) => columnsOf(line) > 100)).toEqual([])
  })

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    'of %s shows its arguments and options within 100 columns',
    (_, command) => {
      const lines = commandHelp(command)
      const text = lines.join('\n')
      for (const { name } of command.arguments) expect(text).toContain(name)
      if (!command.passesArguments) for (const name of Object.keys(optionsOf(command))) expect(text).toContain(`--${name}`)
      expect(lines.filter((line) => columnsOf(line) > 100)).toEqual([])
    },
  )

  test('has every exit code once', () => {
    expect(EXIT_CODES.map(([code]) => code)).toEqual([...new Set(Object.values(EXIT))].filter((code) => code !== EXIT.terminated))
  })
})

describe('arguments', () => {
  test.each([
    [['claim', 'job-1'], 'claim', ['job-1'], {}],
    [['--json', 'claim', 'job-1'], 'claim', ['job-1'], { json: true }],
    [['--base-url', 'http://a', 'claim', 'job-1', '--timeout=5'], 'claim', ['job-1'], { 'base-url': 'http://a', timeout: '5' }],
    [['submit', 'job-1', '-', '--text'], 'submit', ['job-1', '-'], { text: true }],
    [['jobs', '--tier', 'pro'], 'jobs', [], { tier: 'pro' }],
    [['show', '--', '--odd-id'], 'show', ['--odd-id'], {}],
    [['claim', '--help'], 'help', ['claim'], { help: true }],
    [['faucet'], 'faucet', [], {}],
    [['--help'], 'help', [], { help: true }],
    [['--version', '--json'], 'version', [], { version: true, json: true }],
    [[], 'help', [], {}],
    [['--help', 'claim'], 'help', ['claim'], { help: true }],
    [['verify-record', 'file.json', '--jwks', 'k.json', '--help'], 'verify-record', ['file.json', '--jwks', 'k.json', '--help'], {}],
  ] as const)('%j are understood', (args, name, positionals, options) => {
    const parsed = parseCommandLine(args)
    expect([parsed.command.name, parsed.arguments, parsed.options]).toEqual([name, positionals, options])
  })

  test.each([
    [['claim'], 'claim needs JOB.'],
    [['claim', ''], 'claim needs JOB.'],
    [['claim', 'a', 'b'], 'claim has too many arguments.'],
    [['clame', 'a'], 'The most similar one is claim.'],
    [['frobnicate'], 'There is no such command.'],
    [['jobs', '--tire', 'pro'], 'The most similar one is --tier.'],
    [['jobs', '--frobnicate'], 'jobs has no such option.'],
    [['jobs', '-x'], 'jobs has no such option.'],
    [['jobs', '--tier'], '--tier needs a value: TIER.'],
    [['jobs', '--tier', '--json'], '--tier needs a value: TIER.'],
    [['jobs', '--tier='], '--tier needs a value.'],
    [['jobs', '--tier', 'gold'], '--tier takes one of starter, pro, elite.'],
    [['jobs', '--tier', 'pro', '--tier', 'pro'], '--tier is given twice.'],
    [['jobs', '--json=yes'], '--json takes no value.'],
    [['jobs', '--timeout', '0'], '--timeout takes a number of seconds above zero'],
    [['jobs', '--timeout', 'soon'], '--timeout takes a number of seconds above zero'],
    [['jobs', '--timeout', '1e9'], '--timeout takes a number of seconds above zero'],
    [['completion', 'fish'], 'SHELL is one of bash, zsh.'],
    [['--json'], 'A command is missing.'],
    [['--version', 'deposit', '5'], 'deposit has no option --version.'],
  ])('%j are refused as wrong use', (args, detail) => {
    const { exit, message } = refusal(args)
    expect(exit).toBe(EXIT.usage)
    expect(message).toContain(detail)
  })

  test.each([
    [[SECRET]],
    [['login', SECRET]],
    [['login', `--passphrase=${SECRET}`]],
    [['login', '--passphrase', SECRET]],
    [['login', `--${SECRET}`]],
    [['jobs', '--tier', SECRET]],
    [['jobs', '--timeout', SECRET]],
    [['completion', SECRET]],
  ])('%j with a secret in the wrong place are refused without repeating it', (args) => {
    const { message, problem } = refusal(args)
    expect(message + JSON.stringify(problem)).not.toContain(SECRET)
  })
})
