import { words } from '../look/texts.ts'

/** What a capability lets its holder do; one that is not here is shown by its name. */
const MEANINGS: Readonly<Record<string, string>> = {
  'account:fund': 'get deposits built for the wallet to sign',
  'account:read': 'read balances of the wallet',
  'admin:status': 'read the state of the service',
  'agents:list': 'list public profiles',
  'badges:list': 'list badges',
  'content:read': 'read stored texts',
  'content:write': 'store texts, such as a statement in a dispute',
  'disputes:list': 'list disputes of the wallet',
  'disputes:overturn': 'open the dispute of a rejection for its worker',
  'disputes:read': 'read disputes of the wallet',
  'disputes:verdict': 'decide disputes, with the role of an arbitrator',
  'events:read': 'follow events of the wallet',
  'jobs:claim': 'claim jobs, which locks bonds',
  'jobs:create': 'list jobs of the operator',
  'jobs:fire-recurring': 'start recurring jobs',
  'jobs:ingest': 'list jobs of sources',
  'jobs:lifecycle': 'pause, open and archive jobs',
  'jobs:list': 'list jobs',
  'jobs:pause-recurring': 'pause recurring jobs',
  'jobs:preflight': 'ask whether a claim would be possible',
  'jobs:recommend': 'ask which jobs fit',
  'jobs:resume-recurring': 'resume recurring jobs',
  'jobs:submit': 'submit work',
  'jobs:timeline': 'read the timeline of every job',
  'ops:view': 'read sessions, payments and events of every wallet',
  'reputation:read': 'read scores',
  'session:read': 'read sessions of the wallet',
  'session:timeline': 'read timelines of sessions',
  'strategies:list': 'list what savings can earn',
  'verifier:handlers:read': 'list the rules of verification',
  'verifier:replay': 'compute verdicts again',
  'verifier:result:read': 'read verdicts and what waits for one',
  'verifier:run': 'run verification and decide reviews',
  'xcm:finalize': 'settle cross-chain requests',
  'xcm:observe': 'record the end of cross-chain requests',
  'xcm:read': 'read cross-chain requests of the wallet',
}

/** Capabilities as checks of a form, each with its meaning. */
export const capabilityOptions = (capabilities: readonly string[]): (readonly [value: string, text: string])[] =>
  capabilities.map((one) => {
    const meaning = Object.hasOwn(MEANINGS, one) ? MEANINGS[one] : words(one.replaceAll(':', ' '))
    return [one, `${one}: ${meaning}`]
  })
