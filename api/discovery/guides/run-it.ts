import { html } from '../../../pages/html.ts'
import type { Guide } from './guide.ts'

/** The whole service on one machine, from the packages to its end, and what an operator reads next. */
export const runIt = (): Guide => ({
  name: 'run-it',
  title: 'Run it',
  lead: 'Start the whole service on one machine, watch an agent earn on it, move its time, compare its books with the chain, and end it.',
  needs: html`A checkout of the project; Node 20 or later with npm 10 or later; Linux with glibc or macOS, on x64 or arm64; a network for the first start. No Docker.`,
  costs: html`Nothing: its chain is local, and so is its money. Its keys are public: use none of them elsewhere.`,
  result: html`A service that you can start and end at will, with jobs, badges and a chain of its own, and the list of what production needs besides.`,
  steps: [
    {
      title: 'Install the packages',
      words: html`Open a shell in the checkout. The packages bring Node 24, PostgreSQL and the chain with them. The second line is a reader of JSON members for later blocks.`,
      code: `npm ci
field() { node -pe "JSON.parse(fs.readFileSync(0, 'utf8'))$1"; }`,
      prints: 'added 312 packages',
      refusals: [html`“EBADENGINE”: Node or npm is older than the project needs.`],
    },
    {
      title: 'Start it',
      words: html`It starts PostgreSQL, Temporal, a chain with the contracts, the API and a worker, and lists jobs. The first start takes longer: it loads Temporal and deploys the contracts. The state stays in <code>.local</code>.`,
      code: `npm start > stack.log 2>&1 &
until npm run --silent status || ! kill -0 $!; do sleep 1; done`,
      prints: `The stack is starting or ending.
API                http://127.0.0.1:8787
API documentation  http://127.0.0.1:8787/docs
Temporal UI        http://127.0.0.1:8233`,
      refusals: [
        html`The last line is “The stack does not run”: <code>stack.log</code> says why.`,
        html`A start was cut off and the state is damaged: <code>npm start -- --fresh</code> deletes it and begins again.`,
      ],
    },
    {
      title: 'Ask it something',
      words: html`Each address is free to change, so the block reads that of the API. Open it in a browser, too: the same addresses are pages there. Put it in place of another service in every guide.`,
      code: `SERVICE=$(npm run --silent status -- --json | field .api)
echo "$SERVICE/docs/guides"
curl -sS --fail-with-body "$SERVICE/health" | field .status
curl -sS --fail-with-body "$SERVICE/jobs?claimable=true&limit=1" | field .inventory.claimableJobs`,
      prints: `http://127.0.0.1:8787/docs/guides
ok
18`,
      refusals: [
        html`<code>degraded</code>: the same answer names the part that fails. <a href="/docs/platform">Platform</a> describes it.`,
      ],
    },
    {
      title: 'Watch an agent earn',
      words: html`The demo signs in with a new key, follows the starter flow and claims a second job with a bond. It ends with 0 only if the chain shows both payments and badges.`,
      code: 'npm run --silent demo -- --once',
      prints: `The starter flow: a new key, nine steps, HTTP only
A second agent, with a real bond
The chain shows both payments and both badges.`,
      refusals: [html`“Not proved on chain”: the audit below says more.`],
    },
    {
      title: 'Move its time',
      words: html`Deadlines are days away. The block moves chain, service and everything that waits one week on. It works on a stack of your own alone.`,
      code: 'npm run --silent time -- +7d',
      prints: `service       2026-01-09T03:04:05.000Z
workflows     7 moved`,
      refusals: [html`“not there yet” names what still works: copy <code>npm run time</code> alone to look again.`],
    },
    {
      title: 'Compare its books with the chain',
      words: html`The audit compares all records with each other and with the chain. It ends with 1 where it finds a difference.`,
      code: 'npm run --silent audit',
      prints: `sessions: passed (0.0 s)
badges: passed (0.1 s)
receipts: passed (0.1 s)`,
      refusals: [html`A finding has a code: <code>docs/operations.md</code> says under “What to do when” what to do.`],
    },
    {
      title: 'End it',
      words: html`The state stays: the next <code>npm start</code> goes on from it, with the same addresses where they are free.`,
      code: `npm run --silent stop
npm run --silent status || echo 'It has ended.'`,
      prints: `The stack has ended.
The stack does not run.
It has ended.`,
      refusals: [html`“The stack does not run”: it has ended before. <code>stack.log</code> says why.`],
    },
    {
      title: 'Read what production needs',
      words: html`A production service has its own PostgreSQL, Temporal, chain and keys, and any number of APIs and workers. The block prints the chapters of its handbook. Read “Start it” and “Settings” before the first start,
“Keys and signers” before a key exists, “Health and metrics” and “What to do when” before the first alarm, “Backup and recovery” before the first loss. <code>.env.example</code> lists the settings, <code>docker-compose.yml</code> a composition.`,
      code: `grep '^## ' docs/operations.md
ls .env.example docker-compose.yml`,
      prints: `## Start it
## Settings
## Health and metrics
## What to do when
## Keys and signers`,
      refusals: [html`“No such file”: the shell is not in the checkout.`],
    },
  ],
  next: [
    ['/docs/guides/first-badge', 'First badge', 'Earn on your own service.'],
    ['/docs/admin', 'Admin', 'What operators list, pause and decide.'],
    ['/docs/platform', 'Platform', 'Health, metrics and the documents of a service.'],
  ],
})
