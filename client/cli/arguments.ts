import { Command, CommanderError } from 'commander'
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

/** Command of that name. */
export const getCommand = (name: string): CommandSpec => {
  const command = COMMANDS.find((one) => one.name === name)
  if (command === undefined) throw usageError('There is no such command.', 'agent-work help')
  return command
}

/** Options that a command takes, its own first. */
export const optionsOf = (command: CommandSpec): Readonly<Record<string, OptionSpec>> => ({ ...command.options, ...GLOBAL_OPTIONS })

/** Whether the arguments ask for a document of errors: known before they are checked. */
export const wantsJson = (args: readonly string[]): boolean => args.includes('--json')

const checkValue = (name: string, { value, choices }: OptionSpec, given: string | null | undefined, help: string): void => {
  if (value === undefined) return
  if (given == null) throw usageError(`--${name} needs a value: ${value}.`, help)
  if (given === '') throw usageError(`--${name} needs a value.`, help)
  if (choices !== undefined && !choices.includes(given)) throw usageError(`--${name} takes one of ${choices.join(', ')}.`, help)
  if (name === 'timeout' && !(/^[0-9]{1,6}(\.[0-9]{1,3})?$/.test(given) && Number(given) > 0))
    throw usageError('--timeout takes a number of seconds above zero, at most 999999.')
  if (name === 'domain' && !/^[A-Za-z0-9.[\]:-]+$/.test(given)) throw usageError('--domain takes a host name, such as work.example.')
}

const checkArguments = (command: CommandSpec, given: readonly string[], help: string): void => {
  for (const [index, { name, choices, isOptional }] of command.arguments.entries()) {
    const value = given[index]
    if (!isOptional && (value ?? '') === '') throw usageError(`${command.name} needs ${name}.`, help)
    if (value !== undefined && choices !== undefined && !choices.includes(value))
      throw usageError(`${name} is one of ${choices.join(', ')}.`, help)
  }
}

/** A failure of the parser in words of this program: a word that is not known can be a secret in the wrong place, and is not repeated. */
const explain = ({ code, message }: CommanderError, args: readonly string[], name: string | undefined): Error => {
  const help = name === undefined ? 'agent-work help' : `agent-work help ${name}`
  const meant = /\(Did you mean (?:one of )?([\w-]+)/.exec(message)?.[1]
  const similar = meant === undefined ? '' : ` The most similar one is ${meant}.`
  switch (code) {
    case 'commander.unknownCommand':
      return usageError(`There is no such command.${similar}`, meant === undefined ? help : `agent-work help ${meant}`)
    case 'commander.unknownOption': {
      const known = Object.entries(name === undefined ? GLOBAL_OPTIONS : optionsOf(getCommand(name)))
      const flag = known.find(([option, { value }]) => value === undefined && args.some((word) => word.startsWith(`--${option}=`)))
      if (flag !== undefined) return usageError(`--${flag[0]} takes no value.`, help)
      return usageError(`${name ?? 'agent-work'} has no such option.${similar}`, help)
    }
    case 'commander.excessArguments':
      return usageError(`${name} has too many arguments.`, help)
    default:
      return usageError('A command is missing.', help)
  }
}

/** Parses the arguments after the program's name. Throws without repeating a word of the caller that is not known. */
export const parseCommandLine = (args: readonly string[]): ParsedCommand => {
  const options: Record<string, string | boolean> = {}
  let chosen: CommandSpec | undefined
  let given: readonly string[] = []

  const takeOptions = (parser: Command, specs: Readonly<Record<string, OptionSpec>>, help: string): void => {
    for (const [name, spec] of Object.entries(specs)) {
      parser.option(spec.value === undefined ? `--${name}` : `--${name} [${spec.value}]`)
      parser.on(`option:${name}`, (value: string | null | undefined) => {
        if (name in options) throw usageError(`--${name} is given twice.`, help)
        checkValue(name, spec, value, help)
        options[name] = value ?? true
      })
    }
  }

  const program = new Command('agent-work')
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .helpOption(false)
    .helpCommand(false)
    .enablePositionalOptions()
    .hook('preSubcommand', (_, parser) => {
      chosen = getCommand(parser.name())
    })
  takeOptions(program, { ...GLOBAL_OPTIONS, version: { summary: '' } }, 'agent-work help')
  for (const command of COMMANDS) {
    const parser = program.command(command.name).action(() => {
      given = parser.args
    })
    // These arguments belong to another program.
    if (command.passesArguments) parser.passThroughOptions().allowUnknownOption().allowExcessArguments()
    else takeOptions(parser, optionsOf(command), `agent-work help ${command.name}`)
    for (const { name, isRepeated } of command.arguments) parser.argument(isRepeated ? `[${name}...]` : `[${name}]`)
  }

  try {
    program.parse(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const isAsked = args.length === 0 || options.help === true || options.version === true
    if (error.code !== 'commander.help' || !isAsked) throw explain(error, args, chosen?.name)
  }
  if (chosen === undefined) return { command: getCommand(options.version === true ? 'version' : 'help'), arguments: [], options }
  if (options.version === true) throw usageError(`${chosen.name} has no option --version.`, `agent-work help ${chosen.name}`)
  if (chosen.passesArguments) return { command: chosen, arguments: given, options: {} }
  if (options.help === true) return { command: getCommand('help'), arguments: [chosen.name], options }
  checkArguments(chosen, given, `agent-work help ${chosen.name}`)
  return { command: chosen, arguments: given, options }
}
