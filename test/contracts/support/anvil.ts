// One development node per test file, on a port the system chooses.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

export interface Anvil {
  readonly rpcUrl: string
  stop(): Promise<void>
}

const PLATFORMS: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

function binary(): string {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${process.platform}-${PLATFORMS[process.arch]}/bin/anvil${suffix}`)
}

/** Gas costs nothing here, so balances in the tests are about tokens only. */
export async function startAnvil(): Promise<Anvil> {
  const args = ['--port', '0', '--base-fee', '0', '--gas-price', '0', '--auto-impersonate', '--chain-id', '31337']
  const child = spawn(binary(), args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const rpcUrl = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-20_000)
      const address = /Listening on (\S+:\d+)/.exec(text)?.[1]
      if (address) resolve(`http://${address}`)
    })
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${text}`)))
  })
  return {
    rpcUrl,
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
