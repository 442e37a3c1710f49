import { parseArgs } from 'node:util'
import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from './commands.ts'
import { usageError } from './failures.ts'

/** Arguments and options of one command, checked against its row of the table. */
export interface ParsedCommand {
  command: CommandSpec
  arguments: readonly string[]
  options: Options
}

export type Options = Readonly<Record<string, string | boolean | undefined>>

/** Text of an option, if given. */
export const textOption = (options: Options, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** Command of that name, if there is one. */
export const findCommand = (name: string | undefined): CommandSpec | undefined => COMMANDS.find((command) => command.name === name)

/** Number of single edits between two words, for a suggestion. */
const distance = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...left].entries()) {
    const next = [at + 1]
    for (const [index, other] of [...right].entries())
      next.push(Math.min((row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1, (row[index] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row[right.length] ?? 0
}

const nearest = (word: string, known: readonly string[]): string | undefined => known.find((name) => distance(word, name) <= 2)

const unknownCommand = (): never => {
  throw usageError('There is no such command.', 'agent-work help')
}

const getCommand = (name: string): CommandSpec => {
  const command = findCommand(name)
  if (command !== undefined) return command
  const meant = nearest(
    name,
    COMMANDS.map((one) => one.name),
  )
  // A word that is no command can be a secret in the wrong place: it is not repeated.
  if (meant === undefined) return unknownCommand()
  throw usageError(`There is no such command. The most similar one is ${meant}.`, `agent-work help ${meant}`)
}

const helpOf = ({ name }: CommandSpec): string => `agent-work help ${name}`

const parseTimeout = (text: string): void => {
  if (!/^[0-9]{1,6}(\.[0-9]{1,3})?$/.test(text) || !(Number(text) > 0))
    throw usageError('--timeout takes a number of seconds above zero, at most 999999.')
}

const checkValue = (command: CommandSpec, name: string, option: OptionSpec, value: string): void => {
  if (value === '') throw usageError(`--${name} needs a value.`, helpOf(command))
  if (option.choices !== undefined && !option.choices.includes(value))
    throw usageError(`--${name} takes one of ${option.choices.join(', ')}.`, helpOf(command))
  if (name === 'timeout') parseTimeout(value)
  if (name === 'domain' && !/^[A-Za-z0-9.[\]:-]+$/.test(value)) throw usageError('--domain takes a host name, such as work.example.')
}

/** Options that a command takes, its own first. */
export const optionsOf = (command: CommandSpec): Readonly<Record<string, OptionSpec>> => ({ ...command.options, ...GLOBAL_OPTIONS })

const readOptions = (command: CommandSpec, args: readonly string[]): { options: Options; positionals: string[] } => {
  const known = optionsOf(command)
  const config = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [name, { type: value === undefined ? ('boolean' as const) : ('string' as const) }]),
  )
  const { tokens } = parseArgs({ args: [...args], options: config, allowPositionals: true, strict: false, tokens: true })
  const options: Record<string, string | boolean> = {}
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const option = known[token.name]
    if (option === undefined) {
      const meant = nearest(token.name, Object.keys(known))
      throw usageError(
        `${command.name} has no such option.${meant === undefined ? '' : ` The most similar one is --${meant}.`}`,
        helpOf(command),
      )
    }
    if (token.name in options) throw usageError(`--${token.name} is given twice.`, helpOf(command))
    if (option.value === undefined && token.value !== undefined) throw usageError(`--${token.name} takes no value.`, helpOf(command))
    if (option.value !== undefined) {
      if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--')))
        throw usageError(`--${token.name} needs a value: ${option.value}.`, helpOf(command))
      checkValue(command, token.name, option, token.value)
    }
    options[token.name] = token.value ?? true
  }
  return { options, positionals }
}

const checkCount = (command: CommandSpec, positionals: readonly string[]): void => {
  const missing = command.arguments.find(({ isOptional }, index) => !isOptional && (positionals[index] ?? '') === '')
  if (missing !== undefined) throw usageError(`${command.name} needs ${missing.name}.`, helpOf(command))
  if (positionals.length > command.arguments.length) throw usageError(`${command.name} has too many arguments.`, helpOf(command))
  for (const [index, { name, choices }] of command.arguments.entries()) {
    const value = positionals[index]
    if (value !== undefined && choices !== undefined && !choices.includes(value))
      throw usageError(`${name} is one of ${choices.join(', ')}.`, helpOf(command))
  }
}

const splitCommand = (args: readonly string[]): { name: string | undefined; rest: string[] } => {
  // Global options can stand before the command.
  const valued = Object.entries(GLOBAL_OPTIONS).filter(([, { value }]) => value !== undefined)
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? ''
    if (!word.startsWith('-')) return { name: word, rest: args.toSpliced(index, 1) }
    if (valued.some(([name]) => word === `--${name}`)) index += 1
  }
  return { name: undefined, rest: [...args] }
}

/** Whether the arguments ask for a document of errors: known before they are checked. */
export const wantsJson = (args: readonly string[]): boolean => args.includes('--json')

const parseGlobal = (args: readonly string[]): ParsedCommand => {
  const name = args.includes('--version') ? 'version' : 'help'
  const isAsked = args.length === 0 || args.some((word) => word === '--version' || word === '--help')
  if (!isAsked) throw usageError('A command is missing.', 'agent-work help')
  return { command: getCommand(name), arguments: [], options: { json: wantsJson(args) } }
}

/** Parses the arguments after the program's name. Throws without repeating a word of the caller that is not known. */
export const parseCommandLine = (args: readonly string[]): ParsedCommand => {
  const { name, rest } = splitCommand(args)
  if (name === undefined) return parseGlobal(rest)
  const command = getCommand(name)
  // These arguments belong to another program.
  if (command.passesArguments) return { command, arguments: rest, options: {} }
  const { options, positionals } = readOptions(command, rest)
  if (options.help === true) return { command: getCommand('help'), arguments: [command.name], options }
  checkCount(command, positionals)
  return { command, arguments: positionals, options }
}
