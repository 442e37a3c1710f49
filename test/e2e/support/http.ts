import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Contract } from './contract.ts'

export interface CallInit {
  method?: string
  body?: unknown
  /** Sent as it is, in place of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>
  token?: string | undefined
  headers?: Record<string, string>
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the API answered.
  body: any
}

const bodyOf = (text: string, type: string | null): unknown => (type?.includes('json') && text !== '' ? JSON.parse(text) : undefined)

const send = async (base: string, path: string, { method, body, raw, token, headers }: CallInit): Promise<Reply> => {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(`${base}${path}`, {
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: bodyOf(text, response.headers.get('content-type')) }
}

export type Agent = Awaited<ReturnType<Http['agent']>>
export type Http = ReturnType<typeof createHttp>

/** A busy machine makes the service say for a moment that a part of it does not answer. */
const OUTAGES = 3

/** Calls of a running service. Every answer of every suite is held to the service's own OpenAPI document. */
export const createHttp = (base: string, contract: Pick<Contract, 'check'>) => {
  const call = async (path: string, init: CallInit = {}): Promise<Reply> => {
    const reply = await send(base, path, init)
    const faults = contract.check(path, init, reply)
    if (faults.length > 0)
      throw new Error(
        `${init.method ?? ''} ${path} answered ${reply.status} beside its document:\n${faults.join('\n')}\n${reply.text.slice(0, 2000)}`,
      )
    return reply
  }

  /** The same, and repeats what the service asks to repeat: 202, and a 503 three times. Any status but the expected one fails with the answer. */
  const expectCall = async (status: number, path: string, init: CallInit = {}): Promise<Reply['body']> => {
    for (let left = OUTAGES; ; ) {
      const reply = await call(path, init)
      if (reply.status === 503 && reply.body.retryable) left -= 1
      const isRepeated = reply.status !== status && (reply.status === 202 || (reply.status === 503 && reply.body.retryable && left >= 0))
      if (isRepeated) await new Promise((done) => setTimeout(done, (reply.body.retryAfterSeconds ?? 1) * 1000))
      else if (reply.status !== status) throw new Error(`${path} answered ${reply.status}, not ${status}: ${reply.text.slice(0, 2000)}`)
      else return reply.body
    }
  }

  const signIn = async (account: PrivateKeyAccount): Promise<string> => {
    const { message } = await expectCall(200, '/auth/nonce', { body: { wallet: account.address } })
    return (await expectCall(200, '/auth/verify', { body: { message, signature: await account.signMessage({ message }) } })).token
  }

  /** Somebody with a key: a new one unless given; who has a token already does not sign in. */
  const agent = async (account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey()), given?: string) => {
    let token = given ?? (await signIn(account))
    return {
      account,
      token: (): string => token,
      /** After time has moved. */
      signInAgain: async (): Promise<void> => {
        token = await signIn(account)
      },
      call: (path: string, init: CallInit = {}): Promise<Reply> => call(path, { token, ...init }),
      get: (path: string, status = 200): Promise<Reply['body']> => expectCall(status, path, { token }),
      post: (path: string, body: unknown, status = 200): Promise<Reply['body']> => expectCall(status, path, { token, body }),
    }
  }

  return { call, expectCall, agent }
}
