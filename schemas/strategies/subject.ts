import { subject } from '../subject.ts'

export const strategies = subject({ name: 'strategies', buildsOn: ['chain'], operations: () => import('./operations.ts') })
