import { parseArgs } from 'node:util'
import { keepPrivate } from '../files.ts'
import { runProgram } from '../program.ts'
import { onStopSignal } from '../stack.ts'
import { buildImage } from './build.ts'
import { checkImage } from './check.ts'
import { chooseTool, TOOLS } from './tools.ts'

const USAGE = `usage: npm run image -- [options]

Builds the image of the service with Docker or Podman, and where neither runs with buildah, as root: then it makes the base itself, from
Debian's packages and the Node that runs this command. The Dockerfile is the same.

  --build-id ID    name of the build, also the tag (default: dev)
  --name NAME      name of the image (default: agent-work-service)
  --base NAME      base in place of the one of the Dockerfile, such as node:…@sha256:…
  --with TOOL      docker, podman or buildah
  --check          after the build, start every process and command of the image beside a local stack of its own: as user id 1000,
                   root read-only, without capabilities
  --check-only     the same for an image that is there`

const OPTIONS = {
  'build-id': { type: 'string', default: 'dev' },
  name: { type: 'string', default: 'agent-work-service' },
  base: { type: 'string' },
  with: { type: 'string' },
  check: { type: 'boolean', default: false },
  'check-only': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const say = (line: string): void => console.log(line)

const main = async (): Promise<number> => {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help) {
    say(USAGE)
    return 0
  }
  const wanted = TOOLS.find((tool) => tool === values.with)
  if (values.with !== undefined && wanted === undefined) throw new Error(`--with takes ${TOOLS.join(', ')}`)
  const tool = chooseTool(wanted)
  const image = `${values.name}:${values['build-id']}`
  if (!values['check-only']) {
    say(`building ${image} with ${tool}`)
    buildImage({ tool, image, buildId: values['build-id'], base: values.base, say })
  }
  if (values.check || values['check-only']) {
    keepPrivate()
    await checkImage(tool, image, { say, signal: onStopSignal('Ending the check').signal })
    say(`${image} is healthy as user id 1000 with a read-only root`)
  }
  return 0
}

process.exitCode = await runProgram(main)
