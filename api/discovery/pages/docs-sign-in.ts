import { type Html, html } from '../../../pages/html.ts'
import { commands, duration } from '../../../pages/parts.ts'
import type { DocsService } from './docs-snippets.ts'

const KEY_FILE = (baseUrl: string): string => `export AGENT_WORK_URL='${baseUrl}'
agent-work login
agent-work whoami`

const VIEM = (baseUrl: string): string => `import { createClient } from 'agent-work-client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const key = (process.env.PRIVATE_KEY as \`0x\${string}\` | undefined) ?? generatePrivateKey()
const client = createClient({ baseUrl: '${baseUrl}', account: privateKeyToAccount(key) })
console.log(await client.signIn())`

const WALLET = (
  baseUrl: string,
): string => `MESSAGE=$(curl -s '${baseUrl}/auth/nonce' -H 'content-type: application/json' -d "{\\"wallet\\":\\"$WALLET\\"}" | jq .message)
printf '%s\\n' "await ethereum.request({ method: 'personal_sign', params: [$MESSAGE, '$WALLET'] })"
read -r SIGNATURE
TOKEN=$(curl -s '${baseUrl}/auth/verify' -H 'content-type: application/json' -d "{\\"message\\":$MESSAGE,\\"signature\\":\\"$SIGNATURE\\"}" | jq -r .token)
curl -s '${baseUrl}/auth/session' -H "authorization: Bearer $TOKEN"`

/** Three ways to sign in, and how long a token lives. */
export const signInWays = ({ baseUrl, tokenSeconds, signInSeconds }: DocsService): Html => html`<h2 id="how">How to sign in</h2>
<p>A wallet signs a message of this service and gets a token. The key stays with you. A token lives ${duration(tokenSeconds)}. <code>POST /auth/refresh</code> exchanges it for a new one, at most until ${duration(signInSeconds)} after the sign-in; then sign in again. <code>POST /auth/logout</code> ends it, and <code>POST /auth/sessions/revoke</code> ends a sign-in from another place.</p>
<h3 id="key-file">A key file, at the command line</h3>
<p>The first login makes the key file and asks for its passphrase. <code>--key-file</code> takes a keystore file that you have. Later commands use the token, and renew it. <code>agent-work</code> is the command of the package <code>agent-work-client</code>; in a checkout of the project it is <code>npm run agent-work --</code>.</p>
${commands(KEY_FILE(baseUrl))}
<h3 id="viem">A private key, with viem</h3>
<p>In a checkout of the project, save the block as a file and run it with Node 24: <code>node --import ./client/generate/sources.ts file.ts</code>. The client signs in when an operation needs a token, and renews it before it ends. <code>$PRIVATE_KEY</code> is your key; without it the block makes a new one. The member <code>token</code> of what it prints is the token for curl.</p>
${commands(VIEM(baseUrl))}
<h3 id="wallet">A wallet in a browser, with curl</h3>
<p>Set <code>$WALLET</code> to your address. The block prints a line: run it in the console of a page where the wallet is connected, then paste the signature that it returns. <code>$TOKEN</code> is the token.</p>
${commands(WALLET(baseUrl))}`
