import type { BrowserContext } from 'playwright-core'
import { type Hex, hexToString, toHex } from 'viem'
import { accountIdOf, type Scheme, signWrapped } from '../../../client/cli/key/native-account.ts'
import { type NativeAccount, nativeAccountOf } from '../../../domain/identity/native/account.ts'
import { encodeSs58 } from '../../../domain/identity/native/ss58.ts'

/** Prefix of the addresses that extensions show: no network in particular. */
const PREFIX = 42

interface ExtensionAccount {
  name: string
  scheme: Scheme
  secret: Uint8Array
}

interface ExtensionOptions {
  name: string
  accounts: readonly ExtensionAccount[]
  /** What the person answers: a refusal has no code. */
  refuses?: 'enable' | 'signRaw'
}

/** Puts the object of an extension into a page. Runs in the browser. */
const inject = ({ name, ask }: { name: string; ask: string }): void => {
  type Asked = (request: { method: string; params?: unknown }) => Promise<{ result?: unknown; refusal?: string }>
  const page = globalThis as unknown as Record<string, unknown>
  const request = async (method: string, params?: unknown): Promise<unknown> => {
    const { result, refusal } = await (page[ask] as Asked)({ method, params })
    if (refusal !== undefined) throw new Error(refusal)
    return result
  }
  const enable = async (origin: string) => {
    await request('enable', origin)
    return { accounts: { get: () => request('accounts') }, signer: { signRaw: (raw: unknown) => request('signRaw', raw) } }
  }
  page.injectedWeb3 = { ...(page.injectedWeb3 as object | undefined), [name]: { version: '1.0.0', enable } }
}

let made = 0

/** Puts an extension with native accounts into a browser. Answers its accounts, and the texts that it signed. */
export const addExtension = async (context: BrowserContext, { name, accounts, refuses }: ExtensionOptions) => {
  const held = accounts.map((account) => {
    const accountId = toHex(accountIdOf(account.secret, account.scheme))
    return { ...account, native: nativeAccountOf(accountId), address: encodeSs58(accountId, PREFIX) }
  })
  const signed: string[] = []
  made += 1
  const ask = `askExtension${made}`
  const answers: Record<string, (params: unknown) => unknown> = {
    enable: () => null,
    // Extensions also list keys of the Ethereum side.
    accounts: () => [
      { address: `0x${'ab'.repeat(20)}`, name: 'Other side', type: 'ethereum' },
      ...held.map(({ address, name: label, scheme }) => ({ address, name: label, type: scheme })),
    ],
    signRaw: (params) => {
      const { address, data, type } = params as { address: string; data: Hex; type: string }
      const account = held.find((one) => one.address === address)
      if (account === undefined || type !== 'bytes') throw new Error(`no account ${address} for ${type}`)
      const text = hexToString(data)
      signed.push(text)
      return { id: signed.length, signature: signWrapped(account.secret, account.scheme, text) }
    },
  }
  await context.exposeFunction(ask, async ({ method, params }: { method: string; params: unknown }) =>
    method === refuses ? { refusal: 'Cancelled' } : { result: answers[method]?.(params) },
  )
  await context.addInitScript(inject, { name, ask })
  return { signed, accounts: held as readonly { native: NativeAccount; address: string; name: string }[] }
}
