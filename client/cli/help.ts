import { existsSync, readFileSync } from 'node:fs'
import { getCommand, optionsOf } from './arguments.ts'
import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from './commands.ts'
import type { Context } from './context.ts'
import { EXIT_CODES } from './failures.ts'
import type { Report } from './output/output.ts'
import { formatPairs, LINE_WIDTH, wrap } from './output/text.ts'

const PACKAGE = 'agent-work-client'

/** Version of the package around this file. */
export const findVersion = (): string => {
  for (let folder = new URL('.', import.meta.url); ; ) {
    const file = new URL('package.json', folder)
    const { name, version } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string }) : {}
    if (name === PACKAGE && version !== undefined) return version
    const above = new URL('..', folder)
    if (above.href === folder.href) return 'unknown'
    folder = above
  }
}

/** Time limit of a command without `--timeout`, in seconds; infinity is none. */
export const timeLimitOf = ({ timeoutSeconds = 180 }: CommandSpec): number => timeoutSeconds

const usageOf = ({ name, arguments: given, options, passesArguments }: CommandSpec): string =>
  [
    'agent-work',
    name,
    ...given.map(({ name: one, isOptional, isRepeated }) => (isOptional ? `[${one}${isRepeated ? '…' : ''}]` : one)),
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
    ...(passesArguments ? ['…'] : []),
  ].join(' ')

/** Pairs of an indented section. */
const inSection = (pairs: readonly (readonly [string, string])[]): string[] => formatPairs(pairs, LINE_WIDTH - 2)

const optionPairs = (options: Readonly<Record<string, OptionSpec>>): [string, string][] =>
  Object.entries(options).map(([name, { value, summary, choices }]) => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    choices === undefined ? summary : `${summary}: ${choices.join(', ')}`,
  ])

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]

const exitCodes = (): string[] => section('Exit codes', inSection(EXIT_CODES.map(([code, meaning]) => [String(code), meaning])))

/** Help of all commands. */
export const overview = (): string[] => [
  'usage: agent-work COMMAND [arguments] [options]',
  '',
  'Find jobs, claim them, submit work, get paid and earn badges. Or post a job of your own.',
  ...section(
    'Commands',
    inSection(COMMANDS.map((command) => [usageOf(command).replace(/^agent-work (.*?)( \[options\])?$/, '$1'), command.summary])),
  ),
  ...section('Options of every command', inSection([...optionPairs(GLOBAL_OPTIONS), ['--version', 'version of this program']])),
  ...exitCodes(),
  ...section('From a new wallet to the first badge', [
    'agent-work login',
    'agent-work jobs --claimable --waived',
    'agent-work claim JOB --example work.json      # then fill work.json in',
    'agent-work submit JOB work.json --watch',
  ]),
]

/** Help of one command. */
export const commandHelp = (command: CommandSpec): string[] => [
  `usage: ${usageOf(command)}`,
  '',
  ...wrap(`${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`),
  ...(command.details ?? []).flatMap((text) => ['', ...wrap(text)]),
  ...section('Arguments', inSection(command.arguments.map(({ name, summary }) => [name, summary]))),
  ...(command.passesArguments
    ? []
    : [
        ...section('Options', inSection(optionPairs(optionsOf(command)))),
        ...section('Time limit', [
          `${Number.isFinite(timeLimitOf(command)) ? `${timeLimitOf(command)} seconds` : 'none'} without --timeout`,
        ]),
        ...section('Examples', command.examples ?? []),
        ...exitCodes(),
      ]),
]

const describe = ({ name, summary, arguments: given, options, operations }: CommandSpec) => ({
  name,
  summary,
  arguments: given,
  options,
  operations,
})

/** `help` and `--help`. */
export const printHelp = async ({ arguments: [name] }: Context): Promise<Report> => {
  if (name === undefined) return { document: { commands: COMMANDS.map(describe) }, lines: overview() }
  const command = getCommand(name)
  return { document: describe(command), lines: commandHelp(command) }
}

/** `version` and `--version`. */
export const printVersion = async (): Promise<Report> => {
  const version = findVersion()
  return { document: { name: PACKAGE, version }, lines: [version] }
}
