import type { BrowserContext } from 'playwright-core'
import { hexToString } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

/** Error of a wallet, as EIP-1193 numbers it. */
interface WalletError {
  code: number
  message: string
}
interface Request {
  method: string
  params?: unknown[]
}

interface WalletOptions {
  name: string
  account: PrivateKeyAccount
  chainId: number
  /** Methods that it refuses. */
  refuses?: Record<string, WalletError>
  /** Signs and sends a transaction. */
  send?: (call: { to: `0x${string}`; data: `0x${string}` }) => Promise<`0x${string}`>
}

/** Announces a wallet to a page that asks for wallets (EIP-6963). Runs in the browser. */
const announce = ({ name, ask }: { name: string; ask: string }): void => {
  type Asked = (request: Request) => Promise<{ result: unknown } | { error: WalletError }>
  const page = globalThis as unknown as Record<string, Asked> & {
    CustomEvent: new (name: string, init: object) => object
    addEventListener(name: string, listener: () => void): void
    dispatchEvent(event: object): void
  }
  const request = async (sent: Request): Promise<unknown> => {
    const answer = await page[ask]?.(sent)
    if (answer === undefined || 'error' in answer) throw Object.assign(new Error(answer?.error.message), { code: answer?.error.code })
    return answer.result
  }
  const detail = Object.freeze({ info: { uuid: ask, name, icon: 'data:image/svg+xml,', rdns: 'example.wallet' }, provider: { request } })
  page.addEventListener('eip6963:requestProvider', () => page.dispatchEvent(new page.CustomEvent('eip6963:announceProvider', { detail })))
}

let made = 0

/** Puts a wallet with one key into a browser. Answers what it was asked, and the texts that it signed. */
export const addWallet = async (context: BrowserContext, { name, account, chainId, refuses = {}, send }: WalletOptions) => {
  const asked: string[] = []
  const signed: string[] = []
  let chain = chainId
  made += 1
  const ask = `askWallet${made}`
  const answers: Record<string, (params: unknown[]) => unknown> = {
    eth_requestAccounts: () => [account.address],
    eth_chainId: () => `0x${chain.toString(16)}`,
    wallet_switchEthereumChain: ([wanted]) => {
      chain = Number((wanted as { chainId: string }).chainId)
      return null
    },
    personal_sign: ([message, signer]) => {
      if (String(signer).toLowerCase() !== account.address.toLowerCase()) throw new Error('another account')
      const text = hexToString(message as `0x${string}`)
      signed.push(text)
      return account.signMessage({ message: text })
    },
    ...(send !== undefined && { eth_sendTransaction: ([call]: unknown[]) => send(call as Parameters<typeof send>[0]) }),
  }
  await context.exposeFunction(ask, async ({ method, params = [] }: Request) => {
    asked.push(method)
    const error = refuses[method]
    if (error !== undefined) return { error }
    const answer = answers[method]
    return answer === undefined ? { error: { code: 4200, message: 'not supported' } } : { result: await answer(params) }
  })
  await context.addInitScript(announce, { name, ask })
  return { asked, signed, chain: () => chain }
}
