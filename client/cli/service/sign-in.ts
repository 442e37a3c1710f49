import type { Context } from '../context.ts'
import { keyError, refused } from '../failures.ts'
import { checksumAddress } from '../key/address.ts'
import { type OpenKey, readKeyFile } from '../key/key-file.ts'
import { loadAccount } from '../key/viem.ts'
import { findUrl, isLoopback } from '../state/directory.ts'

const isDomainOf = (domain: string, baseUrl: string): boolean => {
  const { host } = new URL(baseUrl)
  if (host === domain || host.endsWith(`.${domain}`)) return true
  const other = findUrl(`http://${domain}`)
  return other !== null && isLoopback(baseUrl) && isLoopback(other.href)
}

const FIRST_LINE = /^(?<domain>[A-Za-z0-9.[\]:-]+) wants you to sign in with your Ethereum account:$/

/** Refuses a text that is no sign-in of this wallet at this service: a service could pass on the text of another one. */
export const assertSignInText = (message: string, { baseUrl, address }: { baseUrl: string; address: string }): void => {
  const [first = '', second = ''] = message.split('\n')
  const domain = FIRST_LINE.exec(first)?.groups?.domain
  if (domain === undefined) throw refused('The service asks for a signature of something that is not a sign-in text. Nothing was signed.')
  if (!isDomainOf(domain, baseUrl))
    throw refused(`The sign-in text is for ${domain}, and the service is at ${new URL(baseUrl).host}. Nothing was signed.`)
  if (second !== checksumAddress(address)) throw refused('The sign-in text is for another wallet. Nothing was signed.')
}

/** Opens a key once, and keeps it out of every output. */
export const createKeyOpener = (context: Context, path: string) => {
  const file = readKeyFile(path, (text) => context.output.note(`Warning: ${text}`))
  let opening: Promise<OpenKey> | undefined
  const open = async (): Promise<OpenKey> => {
    const key = await file.open(() => context.passphrase('open'))
    context.output.hide(key.privateKey.toString('hex'))
    return key
  }
  return {
    address: file.address,
    open: (): Promise<OpenKey> => {
      opening ??= open()
      return opening
    },
  }
}

export type KeyOpener = ReturnType<typeof createKeyOpener>

/** What the client signs in with. The key is opened when a signature is needed. */
export const createSigner = (context: Context, address: string, open: () => Promise<OpenKey>) => ({
  address: checksumAddress(address),
  signMessage: async ({ message }: { message: string }): Promise<string> => {
    assertSignInText(message, { baseUrl: context.baseUrl, address })
    const key = await open()
    if (key.address !== address)
      throw keyError(`The key file holds the key of ${checksumAddress(key.address)}, not of this sign-in.`, 'agent-work login')
    return (await loadAccount(key)).signMessage({ message })
  },
})
