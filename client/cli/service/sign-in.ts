import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { keyError, refused } from '../failures.ts'
import { checksumAddress } from '../key/address.ts'
import { type OpenKey, readKeyFile } from '../key/key-file.ts'
import { loadAccount } from '../key/viem.ts'
import { findUrl, type ServiceIdentity } from '../state/directory.ts'

const FIRST_LINE = /^(?<domain>[A-Za-z0-9.[\]:-]+) wants you to sign in with your Ethereum account:$/

/** Value of the one line with a name; undefined when there is none or more than one. */
const findValue = (lines: readonly string[], name: string): string | undefined => {
  const [value, ...others] = lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2))
  return others.length === 0 ? value : undefined
}

/** Reads the name and chain of the service. Refuses a text that is no sign-in of this wallet at this host: a service could pass on the text of another one. */
export const readSignInText = (message: string, { host, address }: { host: string; address: string }): ServiceIdentity => {
  const assertHost = (found: string): void => {
    if (found.toLowerCase() !== host.toLowerCase())
      throw refused(
        `The sign-in text is for ${found}, and the service is at ${host}. Nothing was signed.`,
        `If that is its name: --domain ${found}`,
      )
  }
  const [first = '', second = '', ...lines] = message.split('\n')
  const domain = FIRST_LINE.exec(first)?.groups?.domain
  if (domain === undefined) throw refused('The service asks for a signature of something that is not a sign-in text. Nothing was signed.')
  assertHost(domain)
  if (second !== checksumAddress(address)) throw refused('The sign-in text is for another wallet. Nothing was signed.')
  const uri = findUrl(findValue(lines, 'URI') ?? '')
  if (uri === null) throw refused('The sign-in text has no URI. Nothing was signed.')
  assertHost(uri.host)
  const chainId = findValue(lines, 'Chain ID') ?? ''
  if (!/^[0-9]{1,15}$/.test(chainId)) throw refused('The sign-in text has no chain id. Nothing was signed.')
  return { domain, chainId: Number(chainId) }
}

/** Host that sign-in texts have to name: `--domain`, else that of the last login, else that of the service. */
export const signInHost = ({ options, state, baseUrl }: Pick<Context, 'options' | 'state' | 'baseUrl'>): string =>
  textOption(options, 'domain') ?? state.readSession()?.service.domain ?? new URL(baseUrl).host

/** Path of the key file of a command: the one named, the one of the last login, or the own one. */
export const findKeyFile = ({ options, state }: Pick<Context, 'options' | 'state'>): string =>
  textOption(options, 'key-file') ?? state.readSession()?.keyFile ?? state.keyFile

/** Opens a key once, and keeps it out of every output. */
export const createKeyOpener = (context: Context, path: string): (() => Promise<OpenKey>) => {
  let opening: Promise<OpenKey> | undefined
  const open = async (): Promise<OpenKey> => {
    const key = await readKeyFile(path, context.output.warn)(() => context.passphrase('open'))
    context.output.hide(key.privateKey.toString('hex'))
    return key
  }
  return () => {
    opening ??= open()
    return opening
  }
}

/** What the client signs in with. The key is opened when a signature is needed. `onService` gets what each signed text says of the service. */
export const createSigner = (
  context: Context,
  address: string,
  open: () => Promise<OpenKey>,
  onService: (service: ServiceIdentity) => void,
) => ({
  address: checksumAddress(address),
  signMessage: async ({ message }: { message: string }): Promise<string> => {
    const service = readSignInText(message, { host: signInHost(context), address })
    const key = await open()
    if (key.address !== address)
      throw keyError(`The key file holds the key of ${checksumAddress(key.address)}, not of this sign-in.`, 'agent-work login')
    onService(service)
    return (await loadAccount(key)).signMessage({ message })
  },
})
