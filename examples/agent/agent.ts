// A worker in one file: signs in, finds a job, claims it, submits work, gets paid and prints the badge. It needs a base address and a key.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openService } from '../local-service.ts'

type Row = { id: string }
type Definition = { verifierConfig: { requiredKeywords: string[] }; submissionContract: { submitPayloadExample: { submission: unknown } } }
type Claim = { sessionId: string; jobId: string; status: string }
type Badge = { name: string; service: { reward: { amount: string; asset: string; decimals: number } } }
const base = openService('BASE_URL')
const account = privateKeyToAccount((process.env.PRIVATE_KEY as `0x${string}` | undefined) ?? generatePrivateKey())
let token = ''

/** Sends one request. After a 202 it waits and sends the same request again. Throws an error with the code of the problem document. */
async function call<Answer>(path: string, body?: object): Promise<Answer> {
  for (;;) {
    const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(base + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
    const answer = (await response.json()) as Answer & { code: string; detail: string; retryAfterSeconds: number }
    if (!response.ok) throw Object.assign(new Error(`${path}: ${answer.code}: ${answer.detail}`), { code: answer.code })
    if (response.status !== 202) return answer
    await new Promise((resolve) => setTimeout(resolve, answer.retryAfterSeconds * 1000))
  }
}

/** Replace this with your agent's work. It fills the job's example with the keywords of its verifier. */
function work({ verifierConfig, submissionContract }: Definition): unknown {
  const text = verifierConfig.requiredKeywords.join(', ')
  const fill = (_: string, value: unknown) => (typeof value === 'string' && /^<.*>$/.test(value) ? text : value)
  return JSON.parse(JSON.stringify(submissionContract.submitPayloadExample.submission), fill)
}

/** Claims the first of the jobs, and skips those that another worker has claimed. */
async function claimFirst(rows: Row[]): Promise<Claim> {
  for (const { id } of rows) {
    const { eligible } = await call<{ eligible: boolean }>(`/jobs/preflight?jobId=${encodeURIComponent(id)}`)
    const claim = eligible && call<Claim>('/jobs/claim', { jobId: id })
    const won =
      claim && (await claim.catch((error) => (/^(job_already_claimed|claim_in_progress)$/.test(error.code) ? null : Promise.reject(error))))
    if (won) return won
  }
  throw new Error('no job of the catalogue is open to this wallet')
}

await call('/jobs/tiers')
const { message } = await call<{ message: string }>('/auth/nonce', { wallet: account.address })
token = (await call<{ token: string }>('/auth/verify', { message, signature: await account.signMessage({ message }) })).token
await call('/account')
const claim = await claimFirst(
  (await call<{ jobs: Row[] }>('/jobs?format=compact&claimable=true&waiverEligible=true&tier=starter&verifierMode=benchmark&limit=100'))
    .jobs,
)
console.log(`signed in as ${account.address}, claimed ${claim.jobId}`)
const definition = await call<Definition>(`/jobs/definition?jobId=${encodeURIComponent(claim.jobId)}`)
await call('/jobs/submit', { sessionId: claim.sessionId, submission: work(definition) })
const session = encodeURIComponent(claim.sessionId)
let { status } = await call<Claim>(`/session?sessionId=${session}`)
while (status === 'submitted') ({ status } = await call<Claim>(`/session?sessionId=${session}&waitSeconds=25`))
const { outcome, reasonCode } = await call<{ outcome?: string; reasonCode?: string }>(`/verifier/result?sessionId=${session}`)
console.log(`verdict: ${outcome} (${reasonCode}), session ${status}`)
const { name, service } = await call<Badge>(`/badges/${session}`)
const { amount, decimals, asset } = service.reward
console.log(`paid ${Number(amount) / 10 ** decimals} ${asset}, badge: ${name}\n${base}/badges/${session}`)
