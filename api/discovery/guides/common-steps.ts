import { html } from '../../../pages/html.ts'
import { SERVICE_VERSION } from '../../service.ts'
import { type GuidePlace, type GuideStep, onCode, subjectLink } from './guide.ts'

/** What most guides need besides a wallet. */
export const CHECKOUT = html`a checkout of the project with its packages (<code>npm ci</code>), Node 20 or later, and bash or zsh`

/** The first block of a guide: two short names for commands, and the address of this service. */
export const readyStep = ({ baseUrl }: GuidePlace): GuideStep => ({
  title: 'Get ready',
  words: html`Open a shell in the checkout. The block defines the command <code>agent-work</code>, a reader of JSON members, and the service that both use.`,
  code: `agent-work() { npm run --silent agent-work -- "$@"; }
field() { node -pe "JSON.parse(fs.readFileSync(0, 'utf8'))$1"; }
export AGENT_WORK_URL=${baseUrl}
agent-work version`,
  prints: SERVICE_VERSION,
  refusals: [html`“Missing script”: the shell is not in the checkout. Change the directory, and copy the block again.`],
})

/** Signs in with the key of the command line. */
export const signInStep: GuideStep = {
  title: 'Sign in',
  words: html`The first login makes a key and asks for a passphrase of your choice. A later one opens the same key. The service gets a signature, never the key.
Keep a copy of the key file and the passphrase.`,
  code: 'agent-work login',
  prints: `Signed in as  0x70997970C51812dc3A010C7d01b50e0d17dc79C8
Token until   2026-01-03 03:04:05Z`,
  refusals: [
    onCode('invalid_nonce', 'copy the block again; each sign-in text is used once.'),
    html`No terminal to ask at: set <code>AGENT_WORK_PASSPHRASE</code>. More at ${subjectLink('Sign-in')}.`,
  ],
}

/** The reader does the work of the claimed job, and the service checks its shape. */
export const workStep: GuideStep = {
  title: 'Do the work',
  words: html`Replace each <code>&lt;placeholder&gt;</code> in the file and save it. The job says what its verifier looks for. The second command checks the file and submits nothing.`,
  code: `\${EDITOR:-nano} "$JOB.json"
agent-work validate "$JOB" "$JOB.json"`,
  prints: 'The submission has the right shape.',
  refusals: [
    html`“The submission would be refused”: each line names the place that is wrong. Copy the block again.`,
    onCode('invalid_submission_shape', html`the work stands one level too deep. The members are at ${subjectLink('Jobs')}.`),
  ],
}

/** Imports of a program that signs with the key of the command line, and the lines that open it as `account`. */
export const KEY_IMPORTS = `import { privateKeyToAccount } from 'viem/accounts'
import { readKeyFile } from './client/cli/key/key-file.ts'
import { getPassphrase } from './client/cli/key/passphrase.ts'
import { createStateDirectory, stateDirectory } from './client/cli/state/directory.ts'`
export const OPEN_KEY = `const { AGENT_WORK_URL: baseUrl = '', AGENT_WORK_PASSPHRASE: variable } = process.env
const { keyFile } = createStateDirectory(stateDirectory(undefined, process.env), baseUrl).getSession()
const output = { hide() {}, warn: console.error }
const passphrase = () => getPassphrase({ variable, output, signal: new AbortController().signal } as never, 'open')
const { privateKey } = await readKeyFile(keyFile, console.error)(passphrase)`

/** Reads the token of the last login into `TOKEN`, for requests that the command line does not make. */
export const READ_TOKEN = `TOKEN=$(cat $(grep -l "\\"$AGENT_WORK_URL\\"" "\${XDG_CONFIG_HOME:-$HOME/.config}"/agent-work/token-*.json) | field .token)`
