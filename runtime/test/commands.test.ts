import { expect, it } from 'vitest';
import { growthOf, LESS_THAN_QUADRATIC } from '../../server/test/support/growth.ts';
import { parseCommand, verificationReply } from '../src/commands.ts';
import { mayHoldPin, pinOf } from '../src/pin-text.ts';

const understood: [string, string, object][] = [
  ['help', 'help', {}],
  ['  HELP! ', 'help', {}],
  ['/help', 'help', {}],
  ['What can you do?', 'help', {}],
  ['Help 🙏🏽', 'help', {}],
  ['hi 👋', 'help', {}],
  ['Hello, …', 'help', {}],
  ['"help"', 'help', {}],
  ['“Help.”', 'help', {}],
  ['\u200ehelp\u200f', 'help', {}],
  ['ｈｅｌｐ！', 'help', {}],
  ['• my certs', 'my_certs', {}],
  ['*my certs*', 'my_certs', {}],
  ['my\u00a0certs？', 'my_certs', {}],
  ['log ８ hours', 'log_hours', { hours: 8 }],
  ['log 7.5 hours for painting 👍', 'log_hours', { hours: 7.5, description: 'painting' }],
  ['set pin １２３４', 'set_pin', { pin: '1234' }],
  ['set pin 12 34', 'set_pin', { pin: '1234' }],
  ['set pin to: 1234 🙂', 'set_pin', { pin: '1234' }],
  ['Set pincode 1234', 'set_pin', { pin: '1234' }],
  ['set pin 12ab', 'set_pin', { pin: '12ab' }],
  ['verify: AB-12cd', 'verify', { response: 'AB-12cd' }],
  ['Verify code AB-12cd', 'verify', { response: 'AB-12cd' }],
  ['verify <482913>', 'verify', { response: '482913' }],
  ['find C++', 'find_file', { name: 'C++' }],
  ['find plan (draft)', 'find_file', { name: 'plan (draft)' }],
  ['find 見積書１.pdf', 'find_file', { name: '見積書１.pdf' }],
  ['who can forklift', 'who_can', { skills: ['forklift'] }],
  ['Who can forklift and First Aid?', 'who_can', { skills: ['forklift', 'First Aid'] }],
  ['who can  welding, rigging & crane', 'who_can', { skills: ['welding', 'rigging', 'crane'] }],
  ['my shifts', 'my_shifts', {}],
  ['Please show me my shifts please.', 'my_shifts', {}],
  ['My Assignments', 'my_assignments', {}],
  ['my certs', 'my_certs', {}],
  ['my jobs today', 'my_assignments', { day: 'today' }],
  ['What are my jobs on Friday?', 'my_assignments', { day: 'friday' }],
  ['my shifts for 2026-11-21', 'my_shifts', { day: '2026-11-21' }],
  ['am i working tomorrow?', 'my_shifts', { day: 'tomorrow' }],
  ['Do I have a shift today?', 'my_shifts', { day: 'today' }],
  ['when do I work next', 'my_shifts', {}],
  ['can i drive the forklift', 'my_certs', { type: 'forklift' }],
  ['Can I drive the forklift at Pier 4?', 'my_certs', { type: 'forklift', site: 'Pier 4' }],
  ['STOP', 'write_first', { allowed: false }],
  ['Afmelden', 'write_first', { allowed: false }],
  ['inscrever', 'write_first', { allowed: true }],
  ['Unsubscribe!', 'write_first', { allowed: false }],
  ['abmelden', 'write_first', { allowed: false }],
  ['start', 'write_first', { allowed: true }],
  ['talk to a human', 'talk_to_a_person', {}],
  ['I want to speak to a manager', 'talk_to_a_person', {}],
  ['ich möchte mit einem Menschen sprechen', 'talk_to_a_person', {}],
  ['my certificates?', 'my_certs', {}],
  ['my timesheets', 'my_timesheets', {}],
  ['log 7.5 hours', 'log_hours', { hours: 7.5 }],
  ['Log 7,5h', 'log_hours', { hours: 7.5 }],
  ['log 8 hours on 2026-11-20', 'log_hours', { hours: 8, date: '2026-11-20' }],
  ['log 8 hours Yesterday', 'log_hours', { hours: 8, date: 'yesterday' }],
  ['log 8 hrs for Painting the hall', 'log_hours', { hours: 8, description: 'Painting the hall' }],
  [
    'log 8 hours on 2026-11-20 for painting',
    'log_hours',
    { hours: 8, date: '2026-11-20', description: 'painting' },
  ],
  [
    'log 8 hours for painting on 2026-11-20.',
    'log_hours',
    { hours: 8, date: '2026-11-20', description: 'painting' },
  ],
  [
    'log 8 hours for painting yesterday',
    'log_hours',
    { hours: 8, date: 'yesterday', description: 'painting' },
  ],
  ['log 8 hours for yesterday', 'log_hours', { hours: 8, date: 'yesterday' }],
  [
    'log 8 hours on 2026-11-20, painting',
    'log_hours',
    { hours: 8, date: '2026-11-20', description: 'painting' },
  ],
  // The tool asks about dates in other forms instead of using today.
  ['log 8 hours on 20/11/2026', 'log_hours', { hours: 8, date: '20/11/2026' }],
  ['log 8 hours on 20.11. for painting', 'log_hours', { hours: 8, date: '20.11.', description: 'painting' }],
  ['log 8 hours on Friday', 'log_hours', { hours: 8, date: 'friday' }],
  ['log 8 hours last Friday', 'log_hours', { hours: 8, date: 'last friday' }],
  [
    'log 8 hours for painting on 20 November',
    'log_hours',
    { hours: 8, date: '20 november', description: 'painting' },
  ],
  ['log 8 hours Nov 20th', 'log_hours', { hours: 8, date: 'nov 20th' }],
  ['log 8 hours on the roof', 'log_hours', { hours: 8, description: 'on the roof' }],
  ['log 8 hours for 12 marble slabs', 'log_hours', { hours: 8, description: '12 marble slabs' }],
  ['log 8 hours for 3/4 of the hall', 'log_hours', { hours: 8, description: '3/4 of the hall' }],
  ['log 7 hours 30 minutes', 'log_hours', { hours: 7.5 }],
  [
    'log 7h 20min for painting yesterday',
    'log_hours',
    { hours: 7.33, date: 'yesterday', description: 'painting' },
  ],
  ['log 1 hour and 15 mins', 'log_hours', { hours: 1.25 }],
  ['log 8 hours for 30 minutes of fame', 'log_hours', { hours: 8, description: '30 minutes of fame' }],
  ['verify yes', 'verify', { response: 'yes' }],
  ['Verify AB-12cd', 'verify', { response: 'AB-12cd' }],
  ['set pin 1234', 'set_pin', { pin: '1234' }],
  ['Set my PIN to 123456', 'set_pin', { pin: '123456' }],
  ['setpin:1234', 'set_pin', { pin: '1234' }],
  ['find price list.pdf', 'find_file', { name: 'price list.pdf' }],
  ['search for the file named "Plan B"', 'find_file', { name: 'Plan B' }],
];

it.each(understood)('understands %j', (text, tool, args) => {
  const command = parseCommand(text);
  expect({ tool: command?.tool.name, args: command?.args }).toEqual({ tool, args });
});

it.each([
  '',
  '?',
  'who',
  'who can',
  'log hours',
  'log -3 hours',
  'log 7 horses',
  'find',
  'yes',
  '1234',
  'my mother',
  'stop it now',
  'the manager',
  'can i have tomorrow off',
  'am i working on my car',
])('does not understand %j', (text) => {
  expect(parseCommand(text)).toBeUndefined();
});

it('reads a message in linear time', async () => {
  const growth = await growthOf((length) => Promise.resolve(parseCommand(`x${'.'.repeat(length)}x`)), 16_384);
  expect(growth).toBeLessThan(LESS_THAN_QUADRATIC);
});

it.each([
  ['yes', 'yes'],
  ['Y', 'Y'],
  ['No.', 'No'],
  ['482913', '482913'],
  ['AB-12cd', 'AB-12cd'],
  ['Yes 👍', 'Yes'],
  ['yes please', 'yes'],
  ['"yes"', 'yes'],
  ['４８２９１３', '482913'],
])('reads %j as the reply %j to a verification', (text, response) => {
  expect(verificationReply(text)).toBe(response);
});

it.each(['yes please tell me more', 'hello', '12'])(
  'does not read %j as the response to a verification',
  (text) => {
    expect(verificationReply(text)).toBeUndefined();
  },
);

it.each([
  ['1234', '1234'],
  [' 123456789012 ', '123456789012'],
  ['12 34', '1234'],
  ['1-2-3-4', '1234'],
  ['My PIN is 1234.', '1234'],
  ['１２３４', '1234'],
  ['12\u200b34', '1234'],
  ['1️⃣2️⃣3️⃣4️⃣', '1234'],
  ['\u202a1234\u202c', '1234'],
  ['My pincode: 1234', '1234'],
  ['123', undefined],
  ['1234567890123', undefined],
  ['1234 please', undefined],
])('reads the PIN of %j as %j', (text, pin) => {
  expect(pinOf(text)).toBe(pin);
});

it.each([
  ['1234', false, true],
  ['١٢٣٤', false, true],
  ['+61 400 000 001', false, true],
  ['use 1 2 3 4 as my pin', false, true],
  ['mypin1234', false, true],
  ['1️⃣2️⃣3️⃣4️⃣', false, true],
  ['12\u200b34', false, true],
  ['1+2+3+4', false, true],
  ['my pincode is 1234', false, true],
  ['1200 dowel pins', false, false],
  ['pinnumber 1234', false, true],
  ['pinning 1234 boxes', false, false],
  ['shipping of 1234 boxes', false, false],
  ['here you go: 1234', true, true],
  ['here you go: 1234', false, false],
  ['3', false, false],
  ['what is a pin?', false, false],
])('treats %j (waiting: %j) as possibly a PIN: %j', (text, isWaiting, confidential) => {
  expect(mayHoldPin(text, isWaiting)).toBe(confidential);
});
