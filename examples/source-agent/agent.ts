// A worker for one job of a source: claims it, works by its definition, gets paid and prints the badge. argv: the id of the job.
import { createWalletClient, type Hex, http, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { findLocalStack, openService } from '../local-service.ts'
import { type Claimed, type Definition, type PullRequest, type Tools, work } from './work.ts'

type Preflight = {
  eligible: boolean
  reason: string | null
  claimFundingShortfallRaw: string | null
  maintainers?: { responsiblePersonRequired?: boolean } | null
}
type Claim = Claimed & { sessionId: string; status: string }
type Badge = { name: string; service: { reward: { amount: string; asset: string; decimals: number } } }

const [jobId] = process.argv.slice(2)
if (jobId === undefined) throw new Error('usage: npm run agent:source -- <jobId>')
const { RPC_URL, PRIVATE_KEY, RESPONSIBLE_PERSON, ENCYCLOPEDIA_API, CODEHOST_SCRIPTS } = process.env
const base = openService('BASE_URL')
const account = privateKeyToAccount((PRIVATE_KEY as Hex | undefined) ?? generatePrivateKey())
let token = ''
/** How long the agent waits until the verifier of a new job is ready. */
const READY_MS = 120_000

/** Sends one request. After a 202 it waits and sends the same request again. Throws an error with the code of the problem document. */
async function call<Answer>(path: string, body?: object): Promise<Answer> {
  for (;;) {
    const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(base + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
    const answer = (await response.json()) as Answer & { code: string; detail: string; retryAfterSeconds: number }
    if (!response.ok) throw new Error(`${path}: ${answer.code}: ${answer.detail}`)
    if (response.status !== 202) return answer
    await new Promise((resolve) => setTimeout(resolve, answer.retryAfterSeconds * 1000))
  }
}

/** Puts the missing part of the bond into the account of the wallet, by its own transactions. */
async function depositBond(amount: string): Promise<void> {
  const rpcUrl = RPC_URL ?? findLocalStack()?.rpcUrl
  if (rpcUrl === undefined) throw new Error(`a deposit of ${amount} is missing: name a node of the chain with RPC_URL`)
  const wallet = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions)
  const { templates } = await call<{ templates: { to: Hex; data: Hex }[] }>('/account/deposit/transactions', { amount })
  for (const { to, data } of templates) {
    const hash = await wallet.sendTransaction({ chain: null, to, data })
    const { status } = await wallet.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`the transaction ${hash} failed`)
  }
}

/** Replace this with what opens your pull requests. It plays one on the code host of the local stack. */
async function openPullRequest({ repo, title, body }: PullRequest): Promise<string> {
  const codehost = CODEHOST_SCRIPTS ?? findLocalStack()?.codehost
  if (codehost === undefined) throw new Error('this example opens pull requests on the local stack alone')
  const number = 100_000 + Math.floor(Math.random() * 900_000)
  const runs = [{ name: 'test', conclusion: 'success' }]
  const answer = await fetch(`${codehost}/_script/pulls/${repo}/${number}`, { method: 'PUT', body: JSON.stringify({ title, body, runs }) })
  if (!answer.ok) throw new Error(`the pull request could not be opened: ${await answer.text()}`)
  return `https://codehost.example/${repo}/pull/${number}`
}

const tools: Tools = {
  openPullRequest,
  encyclopediaApi: (language) => {
    const sources = findLocalStack()?.sources
    const template =
      ENCYCLOPEDIA_API ?? (sources && `${sources}/wikipedia/{language}/w/api.php`) ?? 'https://{language}.wikipedia.org/w/api.php'
    return template.replaceAll('{language}', language)
  },
  fetchBytes: async (address) => {
    const answer = await fetch(address, { headers: { 'accept-encoding': 'identity', 'user-agent': 'source-agent example' } })
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
    return Buffer.from(await answer.arrayBuffer())
  },
}

const id = encodeURIComponent(jobId)
const { message } = await call<{ message: string }>('/auth/nonce', { wallet: account.address })
token = (await call<{ token: string }>('/auth/verify', { message, signature: await account.signMessage({ message }) })).token
const { claimFundingShortfallRaw, maintainers } = await call<Preflight>(`/jobs/preflight?jobId=${id}`)
if (BigInt(claimFundingShortfallRaw ?? 0) > 0n) await depositBond(String(claimFundingShortfallRaw))
let { eligible, reason } = await call<Preflight>(`/jobs/preflight?jobId=${id}`)
// The service looks now and then whether what the verdict needs can be read; a new job waits for the first look.
for (const end = Date.now() + READY_MS; reason === 'verifier_not_ready' && Date.now() < end; ) {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  ;({ eligible, reason } = await call<Preflight>(`/jobs/preflight?jobId=${id}`))
}
const asksForPerson = maintainers?.responsiblePersonRequired === true
if (asksForPerson && RESPONSIBLE_PERSON === undefined) throw new Error('the maintainers want a person: name one with RESPONSIBLE_PERSON')
if (!eligible) throw new Error(`the claim would be refused: ${reason}`)

const claim = await call<Claim>('/jobs/claim', { jobId, ...(asksForPerson && { responsiblePerson: RESPONSIBLE_PERSON }) })
console.log(`claimed ${claim.sessionId}`)
const definition = await call<Definition>(`/jobs/definition?jobId=${id}`)
await call('/jobs/submit', { sessionId: claim.sessionId, submission: await work(definition, claim, tools) })
console.log(`submitted ${claim.sessionId}`)
const session = encodeURIComponent(claim.sessionId)
let { status } = await call<Claim>(`/session?sessionId=${session}`)
while (status === 'submitted') ({ status } = await call<Claim>(`/session?sessionId=${session}&waitSeconds=25`))
const { outcome, reasonCode } = await call<{ outcome?: string; reasonCode?: string }>(`/verifier/result?sessionId=${session}`)
console.log(`verdict: ${outcome} (${reasonCode}), session ${status}`)
if (status !== 'resolved') process.exit(1)
const { name, service } = await call<Badge>(`/badges/${session}`)
const { amount, decimals, asset } = service.reward
console.log(`paid ${Number(amount) / 10 ** decimals} ${asset}, badge: ${name}\n${base}/badges/${session}`)
