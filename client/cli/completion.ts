import { optionsOf } from './arguments.ts'
import { COMMANDS, type CommandSpec } from './commands.ts'
import type { Context } from './context.ts'
import type { Report } from './output/output.ts'

const NAMES = COMMANDS.map(({ name }) => name)
const PARSED = COMMANDS.filter(({ passesArguments }) => !passesArguments)

const isPath = (value: string | undefined): boolean => value === 'FILE' || value === 'DIR'

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const FILES = 'COMPREPLY=($(compgen -f -- "$word"))'
const bashWords = (words: readonly string[]): string => `COMPREPLY=($(compgen -W ${quote(words.join(' '))} -- "$word"))`

const bashOptions = (command: CommandSpec): string =>
  `${command.name}) ${bashWords(Object.keys(optionsOf(command)).map((name) => `--${name}`))} ;;`

const bashChoices = (command: CommandSpec): string[] =>
  Object.entries(optionsOf(command)).flatMap(([name, { value, choices }]) => {
    if (value === undefined) return []
    const place = `${command.name}:--${name})`
    if (choices !== undefined) return [`${place} ${bashWords(choices)}; return ;;`]
    return [isPath(value) ? `${place} ${FILES}; return ;;` : `${place} return ;;`]
  })

const bashArguments = (command: CommandSpec): string => {
  const choices = command.name === 'help' ? NAMES : command.arguments.flatMap((one) => one.choices ?? [])
  const takesFile = command.passesArguments === true || command.arguments.some(({ name }) => isPath(name))
  const both = `COMPREPLY=($(compgen -f -W ${quote(choices.join(' '))} -- "$word"))`
  return `${command.name}) ${!takesFile ? bashWords(choices) : choices.length === 0 ? FILES : both} ;;`
}

const bash = (): string => `# bash completion of agent-work: source <(agent-work completion bash)
_agent_work() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" one
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$one" in
      ${NAMES.join('|')}) command="$one"; break ;;
    esac
  done
  COMPREPLY=()
  if [[ -z "$command" ]]; then
    ${bashWords([...NAMES, '--help', '--version'])}
    return
  fi
  case "$command:$before" in
    ${PARSED.flatMap(bashChoices).join('\n    ')}
  esac
  if [[ "$word" == -* ]]; then
    case "$command" in
      ${PARSED.map(bashOptions).join('\n      ')}
    esac
    return
  fi
  case "$command" in
    ${COMMANDS.map(bashArguments).join('\n    ')}
  esac
}
complete -o bashdefault -F _agent_work agent-work
`

/** Text inside an argument specification of zsh. */
const zshText = (text: string): string => text.replaceAll(/[[\]:\\]/g, (character) => `\\${character}`)

const zshAction = (value: string, choices: readonly string[] | undefined): string => {
  if (choices !== undefined) return `:${value}:(${choices.join(' ')})`
  return isPath(value) ? `:${value}:_files` : `:${value}: `
}

const zshOptions = (command: CommandSpec): string[] =>
  Object.entries(optionsOf(command)).map(([name, { value, summary, choices }]) =>
    quote(`--${name}[${zshText(summary)}]${value === undefined ? '' : zshAction(value, choices)}`),
  )

const zshArguments = (command: CommandSpec): string[] =>
  command.arguments.map(({ name, choices, isOptional, isRepeated }, index) =>
    quote(
      `${isRepeated ? '*' : index + 1}${isOptional && !isRepeated ? ':' : ''}${zshAction(name, command.name === 'help' ? NAMES : choices)}`,
    ),
  )

const zshCommand = (command: CommandSpec): string =>
  command.passesArguments
    ? `${command.name}) _files ;;`
    : `${command.name}) _arguments ${[...zshOptions(command), ...zshArguments(command)].join(' ')} ;;`

const zsh = (): string => `#compdef agent-work
# zsh completion of agent-work: source <(agent-work completion zsh)
_agent_work() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C '1: :->command' '*:: :->rest'
  case "$state" in
    command)
      local -a commands=(
        ${COMMANDS.map(({ name, summary }) => quote(`${name}:${summary}`)).join('\n        ')}
      )
      _describe 'command' commands ;;
    rest)
      case "$line[1]" in
        ${COMMANDS.map(zshCommand).join('\n        ')}
      esac ;;
  esac
}
compdef _agent_work agent-work
`

/** Completion script of a shell. */
export const completionScript = (shell: string): string => (shell === 'zsh' ? zsh() : bash())

/** `completion SHELL`. */
export const printCompletion = async ({ arguments: [shell = 'bash'] }: Context): Promise<Report> => {
  const script = completionScript(shell)
  return { document: { shell, script }, lines: [script.trimEnd()] }
}
