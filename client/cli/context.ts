import { type ChosenService, describeService } from '../../examples/local-service.ts'
import { type ParsedCommand, textOption } from './arguments.ts'
import { getPassphrase, type PassphrasePurpose } from './key/passphrase.ts'
import { createOutput, type Output, type Sink } from './output/output.ts'
import { createStateDirectory, isLoopback, type StateDirectory, serviceAddress, stateDirectory } from './state/directory.ts'

/** What the process gives to a command. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>
  out: Sink
  error: Sink
  /** Aborts with a `CliError`. */
  interruption: AbortSignal
}

/** What a command works with. */
export interface Context extends ParsedCommand {
  output: Output
  /** Aborts at the time limit and at Ctrl-C. */
  signal: AbortSignal
  baseUrl: string
  state: StateDirectory
  /** File of a token that is used in place of a key. */
  tokenFile: string | undefined
  /** Asks for the passphrase of the key at most once; never for a command that runs unattended. */
  passphrase: (purpose: PassphrasePurpose) => Promise<string>
}

/** For commands that ask no service. */
const NO_SERVICE: ChosenService = { address: 'http://service.invalid', origin: 'no service' }

/** Puts arguments, environment and files of a command together. Opens nothing. */
export const createContext = (parsed: ParsedCommand, output: Output, env: Surroundings['env'], signal: AbortSignal): Context => {
  const { options } = parsed
  const isOnline = parsed.command.operations.length > 0
  const service = isOnline ? serviceAddress(textOption(options, 'base-url'), env) : NO_SERVICE
  const baseUrl = service.address
  const state = createStateDirectory(stateDirectory(textOption(options, 'dir'), env), baseUrl)
  if (isOnline) output.note(describeService(service))
  if (isOnline && baseUrl.startsWith('http:') && !isLoopback(baseUrl))
    output.warn(`${baseUrl} is not encrypted. Others on the way can read the token.`)
  let given: Promise<string> | undefined
  const sources = { file: textOption(options, 'passphrase-file'), variable: env.AGENT_WORK_PASSPHRASE, signal, output }
  return {
    ...parsed,
    output,
    signal,
    baseUrl,
    state,
    tokenFile: textOption(options, 'token-file') ?? (env.AGENT_WORK_TOKEN_FILE || undefined),
    passphrase: (purpose) => {
      given ??= getPassphrase(sources, purpose)
      return given
    },
  }
}

/** Output of a run. The variable with the passphrase is a secret from the start. */
export const openOutput = ({ env, out, error }: Surroundings, isJson: boolean): Output => {
  const output = createOutput({ out, error, isJson, noColour: (env.NO_COLOR ?? '') !== '' })
  if (env.AGENT_WORK_PASSPHRASE) output.hide(env.AGENT_WORK_PASSPHRASE)
  return output
}
