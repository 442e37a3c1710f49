import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const eligibility = subject({
  name: 'eligibility',
  buildsOn: ['consents', 'locked-deposits', 'pull-requests', 'reputation'],
  operations: () => import('./operations.ts'),
  settings,
})
