import { subject } from '../subject.ts'
import * as operations from './operations.ts'

export const strategies = subject({ name: 'strategies', buildsOn: ['chain'], operations })
