import { html } from '../../../pages/html.ts'
import { CHECKOUT, KEY_IMPORTS, OPEN_KEY, READ_TOKEN, readyStep, signInStep } from './common-steps.ts'
import { type Guide, type GuidePlace, onCode, subjectLink } from './guide.ts'

/** Money that the poster and the worker begin with, and the reward, in whole units of the asset. */
const UNITS = { poster: 3, worker: 1, reward: 1 } as const

/** Posts a second job with the typed client, and sends what the service built after a check of where it goes and what it costs. */
const PROGRAM = `import { readFileSync } from 'node:fs'
import { createPublicClient, createWalletClient, http } from 'viem'
${KEY_IMPORTS}
import { createClient } from './client/src/index.ts'

${OPEN_KEY}
const account = privateKeyToAccount(\`0x\${privateKey.toString('hex')}\`)
const client = createClient({ baseUrl, account })

const definition = Object.assign(JSON.parse(readFileSync('job.json', 'utf8')), { title: 'Retry policy for a server' })
const draft = await client.draftJob({ definition })
const { escrowCore, agentAccountCore, token } = await client.getPosterOnboarding()
const { templates, posterReserved } = await client.buildPostJobTransactions({ id: draft.draftId })
if (posterReserved.raw > draft.fundingRequirement.posterReservedRaw) throw new Error('it costs more than the draft says')
const places = [token.address, agentAccountCore, escrowCore].map((place) => place.toLowerCase())
if (templates.some(({ to, value }) => !places.includes(to.toLowerCase()) || value !== '0')) throw new Error('it goes elsewhere')

const pool = await client.getPool()
if (!pool.available) throw new Error('the service has no chain')
const transport = http((pool.broadcast as { rpcUrls: string[] }).rpcUrls[0])
const node = createPublicClient({ transport, pollingInterval: 500 })
for (const { step, to, data } of templates) {
  const hash = await createWalletClient({ account, transport }).sendTransaction({ chain: null, to: to as '0x', data: data as '0x' })
  const { status } = await node.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(\`\${step} failed: \${hash}\`)
  console.error(\`\${step}: \${hash}\`)
}
console.log(draft.jobId)`

/** From a definition in a file to work that is judged and paid, and a second job whose money comes back. */
export const postAJob = ({ baseUrl, asset, ...place }: GuidePlace): Guide => ({
  name: 'post-a-job',
  title: 'Post a job',
  lead: 'Draft a job, rehearse its verifier, fund it from your wallet, follow the work of another wallet, and take the money of a second job back.',
  needs: html`${CHECKOUT}; ${UNITS.poster} ${asset} in your wallet and ${UNITS.worker} ${asset} in that of the worker, and native money of the chain for both.`,
  costs: html`The reward, a fee of the poster on top of it, and the gas of your transactions. The draft states reward and fee. A cancelled job gives both back.`,
  result: html`Work that the verifier approved, paid from your escrow, and the money of the second job in your account.`,
  steps: [
    readyStep({ baseUrl, asset, ...place }),
    signInStep,
    {
      title: 'Get the money for it',
      words: html`The faucet pays test money and gas to your wallet. The last line asks who may post here: <code>open</code> is every wallet.`,
      code: `agent-work faucet ${UNITS.poster}
curl -sS --fail-with-body -H 'accept: application/json' "$AGENT_WORK_URL/poster/onboarding" | field .mode`,
      prints: `0x70997970C51812dc3A010C7d01b50e0d17dc79C8 got ${UNITS.poster} ${asset} and 0.1 PAS for gas.
open`,
      refusals: [html`“The faucet pays on a local chain only”: the service is not a stack of your own.`],
      elsewhere: html`send the money and some native money to the address that the login printed. Under <code>allowlist</code> ask the operator first.`,
    },
    {
      title: 'Draft it',
      words: html`The file says what to do, how the work is judged and what it pays. The service answers with the ids of the job and its cost. Nothing is listed, and no money moves. Equal content of one wallet has one draft.`,
      code: `cat > job.json <<'END'
{
  "title": "Retry policy for a client",
  "description": "Design the retry policy of a client of an API.",
  "category": "coding",
  "rewardAmount": ${UNITS.reward},
  "verifierMode": "benchmark",
  "verifierTerms": ["exponential backoff", "jitter", "retry budget"],
  "acceptanceCriteria": ["It names the waits between two attempts."]
}
END
agent-work post draft job.json
DRAFT=$(agent-work post draft job.json --json | field .draftId)`,
      prints: `Title           Retry policy for a client
Reward          1 ${asset}
Fee             0.05 ${asset}
You pay in all  1.05 ${asset}
A claim needs   tier starter, skill 0; 3 wallets have it`,
      refusals: [
        onCode('external_poster_not_allowed', 'the operator takes no postings of this wallet.'),
        onCode(
          'external_listing_quarantined',
          html`the screen refuses the text. Each line names the member. More at ${subjectLink('Posting')}.`,
        ),
      ],
    },
    {
      title: 'Rehearse it',
      words: html`The verifier judges files of your own as it would those of a worker, and work that takes no effort besides. The files are not kept. Terms that approve the bad file, or a placeholder, would be paid: change them now. Keywords are public, so a text that repeats them is approved: where that is not enough, choose another verifier.`,
      code: `echo '{"summary": "Wait longer each time.", "output": "Exponential backoff with jitter and a retry budget.", "status": "complete"}' > good.json
echo '{"summary": "Try again.", "output": "Try again until it works.", "status": "complete"}' > bad.json
agent-work post rehearse "$DRAFT" good.json bad.json`,
      prints: `FILE       OUTCOME   SCORE  REASON
good.json  approved    100  BENCHMARK_THRESHOLD_MET
bad.json   rejected      0  BENCHMARK_THRESHOLD_MISSED
Placeholders: 11 judged, these would be paid: keywords.`,
      refusals: [onCode('external_draft_not_found', 'no draft has that id. Draft the job again.')],
    },
    {
      title: 'Read what you would sign',
      words: html`The block asks for the transactions over HTTP and sends none. An approval and a deposit come only where the account does not cover the cost. From here on the service watches the escrow for this job.`,
      code: `${READ_TOKEN}
curl -sS --fail-with-body "$AGENT_WORK_URL/jobs/draft/$DRAFT/transactions" \\
  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{}' > funding.json
field '.templates.map(({ step, to, decoded }) => [step, to, decoded.function].join(" ")).join("\\n")' < funding.json
field .posterReserved.display < funding.json`,
      prints: `approve 0x5fbdb2315678afecb367f032d93f642f64180aa3 approve(address,uint256)
deposit 0xe7f1725e7734ce288f8367e1bb143e90bb3f0512 deposit(address,uint256)
1.05`,
      refusals: [
        onCode('external_draft_expired', 'the quote is over: draft the job again.'),
        onCode('external_fee_quote_mismatch', 'the escrow charges another fee by now: draft the job again.'),
      ],
    },
    {
      title: 'Fund it',
      words: html`The command computes ids, hashes and sum of the draft itself, and refuses transactions that fund anything else. Then it signs and sends each one. Leave out <code>--yes</code> to be asked before. The last line waits until the job is listed.`,
      code: `agent-work post fund "$DRAFT" --yes
JOB=$(agent-work post watch "$DRAFT" --until live --json | field .jobId)
echo "$JOB"`,
      prints: `Transaction 1 of 3: approve
Transaction 2 of 3: deposit
Transaction 3 of 3: create
Paid    1.05 ${asset}
0x5c5cb0f4b4f9e8f1d3a6c1e2b7d8a9f0c1b2a3d4e5f60718293a4b5c6d7e8f90`,
      refusals: [
        onCode('external_draft_already_funded', 'the escrow has the job. Do not deposit again; watch it.'),
        html`The command ends with <code>mismatch</code>: the escrow has other terms than the draft, more money included. The job is never listed; only a cancellation brings the money back.`,
      ],
    },
    {
      title: 'Make a worker',
      words: html`A second key in a directory of its own plays the worker. The poster of a job cannot claim it. The worker deposits a bond.`,
      code: `worker() { agent-work "$@" --dir "$HOME/agent-work-worker"; }
worker login
worker faucet ${UNITS.worker}
worker deposit ${UNITS.worker} --yes`,
      prints: `Signed in as  0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC
Deposited  1 ${asset}`,
      refusals: [html`No terminal to ask at: set <code>AGENT_WORK_PASSPHRASE</code>. More at ${subjectLink('Sign-in')}.`],
      elsewhere: html`any other wallet claims the job. Go on with “Watch it”.`,
    },
    {
      title: 'Ask for the claim over HTTP',
      words: html`The operator sends no transaction for a posted job. The first request is therefore refused with 409 and the transaction that the worker sends. It is an offer: a claim on chain within the hour counts, whatever changed meanwhile.`,
      code: `WORKER_TOKEN=$(cat "$HOME"/agent-work-worker/token-*.json | field .token)
curl -sS "$AGENT_WORK_URL/jobs/claim" -H "authorization: Bearer $WORKER_TOKEN" \\
  -H 'content-type: application/json' -d '{"jobId": "'"$JOB"'"}' > asked.json
field .code < asked.json
field .details.transaction.function < asked.json
field .nextActions[0].gasRequired.gas < asked.json`,
      prints: `external_self_paid_claim_required
claimJob(bytes32)
700000`,
      refusals: [
        onCode('insufficient_liquidity', 'the account of the worker lacks the bond.'),
        onCode('external_reward_exceeds_capital_ceiling', 'a larger reward needs a vested deposit of the worker; the draft states it.'),
        onCode('claimant_is_poster', 'the token is that of the poster.'),
      ],
    },
    {
      title: 'Claim it and submit the work',
      words: html`The command does the same: it asks, checks that the transaction is this claim in the escrow and nothing else, sends it, and repeats the request, which now answers with the session. The submission goes the same way with the hash of the work.`,
      code: `worker claim "$JOB" --yes
worker submit "$JOB" good.json --yes --watch`,
      prints: `Transaction 1 of 1: claim
Status      claimed
Transaction 1 of 1: submit
Verdict  approved (BENCHMARK_THRESHOLD_MET)
Reward   1 ${asset}, paid into the account`,
      refusals: [
        html`“The wallet has 0”: the worker has no native money for gas. Nothing was sent.`,
        onCode('claim_not_admitted', 'the wallet claimed directly on chain, and the rules of the job forbid it. Its work is rejected.'),
        onCode('external_direct_submit_evidence_mismatch', 'another hash than that of this work is on chain. Send the work that has it.'),
      ],
    },
    {
      title: 'Watch it',
      words: html`The poster sees states and the verdict. The work itself stays with the worker until it is published.`,
      code: `agent-work post watch "$JOB"
agent-work post list`,
      prints: `2026-01-02 03:05:08Z  settled           approved; the work is resolved
Verdict  approved`,
      refusals: [
        html`“This wallet has no draft and no job with that id”: sign in with the wallet that drafted it. More at ${subjectLink('Posting')}.`,
      ],
    },
    {
      title: 'Post another one from a program',
      words: html`The same with the typed client: draft, check where each transaction goes and what it costs, send. <a href="/docs/errors">Every refusal</a> is an error with its code.`,
      code: `cat > post.ts <<'END'
${PROGRAM}
END
SECOND=$(npx node post.ts)
agent-work post watch "$SECOND" --until live`,
      prints: `create: 0x369a8446cd6612391fce8dbaa111d4454b043c74eae4c1250acc95d3cb6303fc
State  live`,
      refusals: [html`A refusal with a code: its page at <a href="/docs/errors">Error codes</a> says what helps.`],
    },
    {
      title: 'Take the money back',
      words: html`An open job can be cancelled an hour after its funding, by a transaction of your wallet. Reward, fee and reserves come back into the account. The first line moves the local stack on.`,
      code: `npm run --silent time -- +2h
agent-work post cancel "$SECOND" --yes
agent-work post watch "$SECOND" --until refunded
agent-work account`,
      prints: `Cancelled            0x8d5cb0f4b4f9e8f1d3a6c1e2b7d8a9f0c1b2a3d4e5f60718293a4b5c6d7e8f90
Back in the account  1.05 ${asset}`,
      refusals: [
        onCode('external_cancel_too_early', html`the answer names the instant. Wait for it.`),
        onCode('external_job_not_open', 'a worker was faster: the claim keeps the job until its end.'),
      ],
      elsewhere: html`wait an hour, and copy the block without its first line.`,
    },
  ],
  next: [
    ['/docs/posting', 'Posting', 'Every operation of posters.'],
    ['/docs/guides/own-bond', 'A bond of your own', 'What a worker of a job of the operator does.'],
    ['/docs/guides/dispute', 'Dispute', 'What a worker does about a wrong rejection.'],
  ],
})
