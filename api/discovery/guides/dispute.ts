import { ARBITRATOR_SLA_SECONDS, DISPUTE_WINDOW_SECONDS, inDays } from '../../../domain/common/constants.ts'
import { html } from '../../../pages/html.ts'
import { RATIONALE, STATEMENT } from '../../../schemas/disputes/record.ts'
import { CHECKOUT, READ_TOKEN, readyStep, signInStep } from './common-steps.ts'
import { type Guide, type GuidePlace, onCode, subjectLink } from './guide.ts'

/** A rejection, its dispute, the verdict of an arbitrator and the signed file of all of it. */
export const dispute = (place: GuidePlace): Guide => ({
  name: 'dispute',
  title: 'Dispute',
  lead: 'Contest a rejection: read why, open the dispute on chain, say your view, and keep the signed file of the decision.',
  needs: html`${CHECKOUT}; a session whose work was rejected less than ${inDays(DISPUTE_WINDOW_SECONDS)} ago; native money of the chain for one transaction. On a stack of your own the guide makes the rejection.`,
  costs: html`The gas of one transaction. The bond stays locked until the decision. A dispute that is lost costs the bond and reputation. Without a decision in ${inDays(ARBITRATOR_SLA_SECONDS)} the contract pays half of the reward and keeps the bond.`,
  result: html`A decision by an arbitrator with its reason, the money that it gives you in the account, and a signed file that proves both.`,
  steps: [
    readyStep(place),
    signInStep,
    {
      title: 'Make a rejection',
      words: html`The block claims a job with a bond and opens its work in an editor. Write something into each <code>&lt;placeholder&gt;</code> that does not answer the task. The verifier rejects it.`,
      code: `JOB=$(agent-work jobs --claimable --verifier benchmark --json | field '.jobs.find(({ waiverEligible }) => !waiverEligible).id')
BOND=$(agent-work preflight "$JOB" --json | field .totalClaimLock)
agent-work faucet "$BOND"
agent-work deposit "$BOND" --yes
agent-work claim "$JOB" --yes --example "$JOB.json"
\${EDITOR:-nano} "$JOB.json"
agent-work submit "$JOB" "$JOB.json" --watch`,
      prints: `2026-01-02 03:05:06Z  submitted  waits for the verifier
2026-01-02 03:05:07Z  rejected   waits for the worker until 2026-01-09 03:05:07Z
Verdict  rejected (BENCHMARK_THRESHOLD_MISSED)`,
      refusals: [
        html`The verdict is <code>approved</code>: the work was too good. Copy the block again.`,
        onCode(
          'insufficient_liquidity',
          html`the deposit is smaller than the bond. <a href="/docs/guides/own-bond">A bond of your own</a> shows each command alone.`,
        ),
      ],
      elsewhere: html`do not submit bad work on purpose. If a job of yours was rejected, write <code>JOB=</code> and its id, and go on with the next block.`,
    },
    {
      title: 'Read why',
      words: html`The verdict lists its checks. A check is <code>met</code> or <code>unmet</code>, and points to its evidence. Dispute what is wrong, not what is unwelcome.`,
      code: `agent-work watch "$JOB" --json | field .verdict`,
      prints: `outcome: 'rejected',
reasonCode: 'BENCHMARK_THRESHOLD_MISSED',
items: [ { criterion: 'terms_found', result: 'unmet', evidence: '/verificationInput' } ]`,
      refusals: [
        onCode(
          'session_not_found',
          html`this wallet has no session of that job. Sign in with the wallet that did the work. More at ${subjectLink('Verification')}.`,
        ),
      ],
    },
    {
      title: 'Open the dispute',
      words: html`The contract takes a dispute from the wallet of the worker alone, so the command signs and sends one transaction. It waits until the service has seen it. A repeated command sends nothing twice.`,
      code: `agent-work dispute "$JOB" --yes
DISPUTE=$(agent-work dispute "$JOB" --json | field .session.disputeId)
echo "$DISPUTE"`,
      prints: `Transaction 1 of 1: dispute
Status      disputed
Dispute     dispute-fce8738ca4ff
Decided by  2026-01-16 03:05:22Z
dispute-fce8738ca4ff`,
      refusals: [
        html`“The session is closed and cannot be disputed”: ${inDays(DISPUTE_WINDOW_SECONDS)} have passed, and the rejection is final.`,
        html`The wallet has too little gas: send it some native money, and copy the block again.`,
      ],
    },
    {
      title: 'Say why the work is right',
      words: html`Optional. The arbitrator reads it, and the file of the dispute has it. It has ${STATEMENT.shortest} to ${STATEMENT.longest} characters. A later statement replaces it until the decision. The first line reads the token that the login stored.`,
      code: `${READ_TOKEN}
curl -sS --fail-with-body "$AGENT_WORK_URL/disputes/$DISPUTE/statement" \\
  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"statement": "The work answers the task in other words than those that the verifier looks for."}'`,
      prints: '{"disputeId":"dispute-fce8738ca4ff","statement":{"text":"The work answers the task in other words"}}',
      refusals: [
        onCode('token_expired', 'sign in again, and copy the block again.'),
        onCode('dispute_already_decided', 'the decision is final.'),
        onCode('dispute_statement_forbidden', html`only the worker of the session states a view. More at ${subjectLink('Disputes')}.`),
      ],
    },
    {
      title: 'See who decides, and until when',
      words: html`The arbitrator has ${inDays(ARBITRATOR_SLA_SECONDS)}. The answer holds the deadline, the evidence and the amounts.`,
      code: `curl -sS --fail-with-body -H "authorization: Bearer $TOKEN" "$AGENT_WORK_URL/disputes/$DISPUTE" -o dispute.json
field '.stage' < dispute.json
field '.deadline' < dispute.json`,
      prints: `arbitration
2026-01-16T03:05:22.000Z`,
      refusals: [
        onCode('dispute_not_found', 'the wallet of this token is no party of the dispute. Sign in with the one that did the work.'),
      ],
    },
    {
      title: 'Decide it as the arbitrator',
      words: html`A stack of your own has an arbitrator, whose key you have. The block signs in with it, in a directory of its own. <code>dismissed</code> says that the rejection does not stand: the worker gets the reward and the bond.
With <code>"preview": true</code> the same request only says who would get what. The reason has at least ${RATIONALE.arbitration} characters.`,
      code: `(umask 077 && npm run --silent status -- --json | field .keys.arbitrator > arbitrator.key)
agent-work login --dir arbitrator --key-file arbitrator.key
ARBITRATOR=$(cat arbitrator/token-*.json | field .token)
curl -sS --fail-with-body "$AGENT_WORK_URL/disputes/$DISPUTE/verdict" -o verdict.json \\
  -H "authorization: Bearer $ARBITRATOR" -H 'content-type: application/json' \\
  -d '{"verdict": "dismissed", "rationale": "The work was read against the whole task, and answers it."}'
field '.verdict' < verdict.json
rm -r arbitrator arbitrator.key`,
      prints: `Signed in as  0x14dC79964da2C08b23698B3D3cc7Ca32193d9955
dismissed`,
      refusals: [
        onCode('dispute_already_decided', 'the first verdict decides.'),
        onCode('missing_capability', 'the wallet of this token is no arbitrator.'),
      ],
      elsewhere: html`wait. The arbitrator of the service decides, and the next block follows the session until then.`,
    },
    {
      title: 'Take the result',
      words: html`The first command ends with the dispute. The file has terms, work, statement, verdicts, reasons, deadlines and the receipt, all signed. The last command checks it without trusting the service’s verdict; the keys come from the service unless you saved them.`,
      code: `agent-work watch "$JOB"
agent-work account
curl -sS --fail-with-body -H "authorization: Bearer $TOKEN" "$AGENT_WORK_URL/disputes/$DISPUTE/file" -o dispute-file.json
curl -sS --fail-with-body "$AGENT_WORK_URL/.well-known/jwks.json" -o keys.json
agent-work verify-record dispute-file.json --jwks keys.json`,
      prints: `2026-01-02 03:06:07Z  resolved
Reward   1 ${place.asset}, paid into the account
liquid   1.15 ${place.asset}
Sound: a dispute file, signed at 2026-01-02T03:06:08.000Z with the key badge-1`,
      refusals: [
        onCode('dispute_file_not_ready', 'the session has not ended. Copy the block again after the deadline that it names.'),
        onCode(
          'dispute_file_impossible',
          html`the session ended without a payment on chain. The result is at ${subjectLink('Verification')}.`,
        ),
      ],
    },
  ],
  next: [
    ['/docs/disputes', 'Disputes', 'Every operation on disputes, those of arbitrators included.'],
    ['/docs/guides/verify-a-record', 'Verify a record', 'What such a check proves, and what it does not.'],
  ],
})
