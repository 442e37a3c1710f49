import { randomBytes } from 'node:crypto'
import type { Agent, Reply } from '../../e2e/support/http.ts'

/** Body of a quote, with a nonce of its own. */
export const lockRequest = (amountRaw: string, tier = 't30') => ({ tier, amountRaw, consentNonce: randomBytes(12).toString('hex') })

/** Body of a consent: the terms of a quote with their signature. */
export const consentTo = async ({ account }: Pick<Agent, 'account'>, { terms, termsHash, consent: { message } }: Reply['body']) => ({
  terms,
  termsHash,
  consentSignature: await account.signMessage({ message }),
})

/** A new quote, signed. */
export const signedQuote = async (agent: Agent, request = lockRequest('1000000')) =>
  consentTo(agent, await agent.post('/locked-deposits/quote', request))

/** A new lock of the wallet. */
export const lock = async (agent: Agent, request = lockRequest('1000000')): Promise<Reply['body']> =>
  (await agent.post('/locked-deposits/consent', await signedQuote(agent, request), 201)).entry

export const exitPath = (id: string): string => `/locked-deposits/${id}/exit`

/** Body of a quote of idle-balance allocation. */
export const idleRequest = () => ({ consentNonce: randomBytes(12).toString('hex') })

/** A new quote of idle-balance allocation, signed. */
export const idleConsent = async (agent: Agent) => consentTo(agent, await agent.post('/account/idle-allocation/quote', idleRequest()))
