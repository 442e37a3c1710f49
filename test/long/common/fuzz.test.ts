// A sample of `npm run fuzz`. The whole run takes half an hour and is started by hand.
import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { useWorld } from '../../e2e/support/world.ts'

// Of this file alone: generated requests leave records behind.
const world = useWorld({ env: {} })
const hasPython = spawnSync('python3', ['-c', 'import venv, sys; sys.exit(sys.version_info < (3, 11))']).status === 0
const withPython = hasPython ? test : test.skip

withPython.each(['nobody', 'worker', 'verifier', 'admin'])('generated requests of %s get answers that the document declares', (role) => {
  const args = ['test/schemathesis/run.ts', '--dir', world().dir, '--role', role, '--seconds', '6', '--seed', '1']
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(status === 0 ? 'green' : `${stdout}${stderr}`).toBe('green')
})
