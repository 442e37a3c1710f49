import { html } from '../../../pages/html.ts'
import { CHECKOUT, readyStep } from './common-steps.ts'
import { type Guide, type GuidePlace, onCode, subjectLink } from './guide.ts'

/** A badge checked with kept keys, and a forged one found. */
export const verifyARecord = (place: GuidePlace): Guide => ({
  name: 'verify-a-record',
  title: 'Verify a record',
  lead: 'Check a badge without trusting the service’s verdict, and see a forged one found. The keys come from the service unless you saved them.',
  needs: html`${CHECKOUT}. No wallet. In a browser alone, <a href="/verify">the page Verify</a> does the same.`,
  costs: html`Nothing.`,
  result: html`The badge, the keys and the signed heads of the session log as files. With them you can check records years from now, whatever the service says then.`,
  steps: [
    readyStep(place),
    {
      title: 'Take a badge and the keys',
      words: html`The block takes the newest badge of the service. Put the address of another one into <code>RECORD</code> to check that. The key set has every key that signed records, each with the time in which it did.`,
      code: `RECORD=$(curl -sS --fail-with-body "$AGENT_WORK_URL/badges?limit=1" | field '.badges[0].canonicalUrl')
curl -sS --fail-with-body "$RECORD" -o badge.json
curl -sS --fail-with-body "$AGENT_WORK_URL/.well-known/jwks.json" -o keys.json
echo "$RECORD"`,
      prints: `${place.baseUrl}/badges/starter-docs-001%3A0x70997970C51812dc3A010C7d01b50e0d17dc79C8`,
      refusals: [
        html`A TypeError: the service has no badge yet. <a href="/docs/guides/first-badge">Earn the first one</a>.`,
        onCode('session_not_found', html`the address names no session. More at ${subjectLink('Badges')}.`),
      ],
    },
    {
      title: 'Check it',
      words: html`The command reads two files and needs no network. It checks the signature, the window of its key, the closed schema and every rule of a badge. It says what the badge states, and what it does not prove.`,
      code: 'agent-work verify-record badge.json --jwks keys.json',
      prints: `Sound: a badge, signed at 2026-01-02T03:05:08.000Z with the key badge-1
It states:
  Wallet 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 did the job starter-docs-001
  It was approved (benchmark); the worker was paid 1 ${place.asset}.
It does not prove:
  that the wallet belongs to a certain person or program`,
      refusals: [
        html`“Not sound”: the record was changed, or another service signed it. Take record and keys again, both from the service that issued it.`,
        html`“Not sound” for a date after now: set the clock of this computer.`,
        html`“Cannot be decided”, with exit code 3: the key set does not have the key. Take the key set of the service that the record names.`,
      ],
    },
    {
      title: 'See that a forged one is not sound',
      words: html`The block raises the level of the badge in a copy, and checks the copy. The exit code for a record that is not sound is 1.`,
      code: `sed 's/"level":[0-9]*/&0/' badge.json > forged.json
agent-work verify-record forged.json --jwks keys.json || echo "Exit code $?: the copy is not sound."`,
      prints: `Not sound: its name is not that of its category and level.
Exit code 1: the copy is not sound.`,
      refusals: [html`“Exit code 2”: a file could not be read, or is not a record. Go back to “Take a badge and the keys”.`],
    },
    {
      title: 'Keep what later checks need',
      words: html`At midnight UTC the service signs the hash of everything that happened to sessions. With saved heads you can detect a change.`,
      code: `agent-work verify-record --save-heads "$AGENT_WORK_URL" > heads.json
field '.length + " heads are kept"' < heads.json`,
      prints: '31 heads are kept',
      refusals: [html`The service does not answer: copy the block again. More at ${subjectLink('Sessions')}.`],
    },
    {
      title: 'Check it in a browser',
      words: html`Open the printed address. The page loads the record and the keys, and runs the same checks in the browser. The record’s content is never sent.`,
      code: `echo "$AGENT_WORK_URL/verify?record=$(node -p 'encodeURIComponent(process.argv[1])' "\${RECORD#"$AGENT_WORK_URL"}")"`,
      prints: `${place.baseUrl}/verify?record=%2Fbadges%2Fstarter-docs-001%253A0x70997970C51812dc3A010C7d01b50e0d17dc79C8`,
      refusals: [html`The page refuses a record of another service: give it the record and the key set as files.`],
    },
  ],
  next: [
    ['/docs/receipts', 'Receipts', 'Signed statements of every end of work, paid or not, with a proof of the payment.'],
    ['/docs/badges', 'Badges', 'Every operation on badges.'],
    ['/docs/guides/run-it', 'Run it', 'A service of your own, which signs with its own keys.'],
  ],
})
