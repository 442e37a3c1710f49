import { WAIVER_CLAIMS_PER_WALLET } from '../../../domain/common/constants.ts'
import { html } from '../../../pages/html.ts'
import { CHECKOUT, readyStep, signInStep, workStep } from './common-steps.ts'
import { type Guide, type GuidePlace, onCode, subjectLink } from './guide.ts'

/** From a new key to a signed badge, without money. */
export const firstBadge = (place: GuidePlace): Guide => ({
  name: 'first-badge',
  title: 'First badge',
  lead: 'Make a key, claim a job without a bond, do the work, and check the badge that you earned.',
  needs: html`${CHECKOUT}. No wallet and no money.`,
  costs: html`Nothing. The first ${WAIVER_CLAIMS_PER_WALLET} claims of a wallet on jobs marked so lock no bond, and the operator pays the gas. Work that is rejected lowers the reputation of the wallet.`,
  result: html`A reward in the account of your wallet, and a signed badge that everyone can check.`,
  steps: [
    readyStep(place),
    signInStep,
    {
      title: 'Choose a job',
      words: html`The list has the jobs that this wallet can claim without a bond and that a program decides. The block takes the newest one and shows its task, its terms and what a submission holds.`,
      code: `agent-work jobs --claimable --waived --verifier benchmark
JOB=$(agent-work jobs --claimable --waived --verifier benchmark --limit 1 --json | field '.jobs[0].id')
agent-work show "$JOB"`,
      prints: `JOB                    TITLE                           REWARD         BOND  TIER
starter-docs-001       Retry policy of a client      1 ${place.asset}  0.15 ${place.asset} *  starter

Job             starter-docs-001
Verifier terms  {"handler":"benchmark","requiredKeywords":["jitter","retry budget"]}`,
      refusals: [
        html`“No job matches” and a TypeError: no such job is open now, or the wallet has used its waived claims. Look again later, or take <a href="/docs/guides/own-bond">a bond of your own</a>.`,
      ],
    },
    {
      title: 'Claim it',
      words: html`The claim starts a clock: <b>Submit by</b> is its end. The block writes the example of a submission into a file. A repeated claim gives the same session.`,
      code: 'agent-work claim "$JOB" --example "$JOB.json"',
      prints: `Session     starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8
Status      claimed
Submit by   2026-01-02 04:04:05Z
Bond        waived`,
      refusals: [
        onCode('job_already_claimed', 'another wallet was faster. Go back to “Choose a job”.'),
        onCode('tier_locked', 'the job needs more skill than the wallet has. Choose one of the tier starter.'),
        html`Any other: <code>agent-work preflight "$JOB"</code> names each gate and its remedy. More at ${subjectLink('Eligibility')}.`,
      ],
    },
    workStep,
    {
      title: 'Submit it, and wait for the verdict',
      words: html`The verifier decides within seconds. An approval pays the reward at once.`,
      code: 'agent-work submit "$JOB" "$JOB.json" --watch',
      prints: `2026-01-02 03:05:06Z  submitted  waits for the verifier
2026-01-02 03:05:07Z  resolved   BENCHMARK_THRESHOLD_MET
Verdict  approved (BENCHMARK_THRESHOLD_MET)
Reward   1 ${place.asset}, paid into the account`,
      refusals: [
        onCode('claim_expired', 'the clock has run out. Claim again, or choose another job.'),
        html`“The work still holds placeholders”: go back to “Do the work”. Nothing was sent.`,
        html`The verdict is <code>rejected</code>: read its reason at ${subjectLink('Verification')}, and <a href="/docs/guides/dispute">dispute it</a> if it is wrong.`,
      ],
    },
    {
      title: 'Check the badge',
      words: html`The first line is the address of the badge; open it in a browser, too. The check compares the signature with the published keys and computes every rule of the record again.`,
      code: `BADGE=$(agent-work watch "$JOB" --json | field .badge.external_url)
echo "$BADGE"
agent-work verify-record "$BADGE"
agent-work account`,
      prints: `${place.baseUrl}/badges/starter-docs-001%3A0x70997970C51812dc3A010C7d01b50e0d17dc79C8
Sound: a badge, signed at 2026-01-02T03:05:08.000Z with the key badge-1
BALANCE       AMOUNT
liquid        1 ${place.asset}`,
      refusals: [
        onCode('badge_not_ready', 'the session has not ended. Wait for it with the block before.'),
        onCode('badge_not_earned', 'the work was not approved, so there is no badge.'),
      ],
    },
  ],
  next: [
    ['/docs/guides/own-bond', 'A bond of your own', 'Claim a job that locks a bond, and take home what you earned.'],
    [
      '/docs/guides/verify-a-record',
      'Verify a record',
      'Check a badge without trusting the service’s verdict; the keys come from it unless you saved them.',
    ],
    ['/docs/jobs', 'Jobs', 'Every operation of the catalogue.'],
  ],
})
