/** Everything that the runtime says by itself. Words in braces are filled in; commands stay as people type them. */
export const en = {
  // Messages that have no answer of their own.
  text_only: 'I can only read text messages. Send "help" to see what I can do.',
  no_voice: 'I cannot listen to voice notes here. Please write to me instead.',
  no_pictures: 'I cannot look at pictures here. Please write what it is about.',
  no_files: 'I cannot open files or videos here. Please write what it is about.',
  too_long: 'That is too long for me. Please send it in shorter messages.',
  not_understood: 'I did not understand that. Send "help" to see what I can do.',
  no_model: 'I cannot think about that right now. Send "help" to see what works all the same.',
  no_budget: 'I have used up what I may think this month. Send "help" to see what works all the same.',
  answer_cut: '… (cut: the answer is too long)',
  dropped: 'All right, I leave it as it is.',

  // Refusals and failures.
  introduction:
    'I do that only for people I know: please ask whoever runs this agent to add the address that you write from.',
  more_for_known:
    'I do more for people I know: ask whoever runs this agent to add the address that you write from.',
  apology: 'Sorry, something went wrong on our side. Please try again later.',
  not_yet: 'That is not available yet.',
  not_part: 'That is not part of this agent.',
  not_accepted: 'That was not accepted.',
  not_accepted_because: 'That was not accepted: {detail}',
  not_allowed: 'You are not allowed to do that here.',
  not_found: 'I could not find that.',
  too_many_requests: 'There are too many requests at the moment. Please try again in a minute.',

  // The address of a worker.
  worker_unknown:
    'This address does not belong to a worker that I know. Whoever keeps the staff list can link it.',
  worker_rejected:
    'This address is not linked to a worker any more. Whoever keeps the staff list can link it again.',
  worker_unverified:
    'This address is not verified yet. Reply "yes" to confirm that it is yours, or "verify <code>" with the code you were given; "no" if it is not yours.',
  verification_refused:
    'That did not verify this address. Please reply with the code that you were given, or "yes" where you were given none.',
  verify_how: 'Please send "verify yes", "verify no" or "verify <code>".',
  verified: 'Thank you. This address is verified now.',
  verified_name: 'Thank you, {name}. This address is verified now.',
  unlinked: 'Thank you. This address is not linked to a worker any more.',

  // PINs.
  pin_ask: 'To {action}, please send your PIN.',
  pin_ask_former: 'To {action}, please send the one that you have.',
  pin_not_set: 'No PIN is set. Send "set pin <4 to 12 digits>" to set one.',
  pin_locked: 'Your PIN is locked for now after too many wrong attempts. Please try again later.',
  pin_wrong: 'That PIN is not right.',
  pin_attempts: 'Attempts left: {left}.',
  pin_again: 'Please send it again.',
  pin_alone: 'Please send the PIN alone, in the digits 0 to 9.',
  pin_not_awaited:
    'I am not waiting for that number. If it is your PIN, send the command first, then the PIN alone.',
  pin_length: 'A PIN has 4 to 12 digits.',
  pin_set: 'Your PIN is set. You may want to delete your message with it.',

  // Calls that waited for a person.
  approval_approved: 'Your request ({tool}) was approved and is done{comment}.',
  approval_rejected: 'Your request ({tool}) was not approved{comment}.',
  approval_expired: 'Your request ({tool}) was not decided in time, so nothing was done{comment}.',
  approval_failed: 'Your request ({tool}) was approved, but it may not have worked: please check{comment}.',
  approval_other: 'Your request ({tool}) is {status}{comment}.',

  // Handing over, and writing first.
  passing_on: 'I am passing this on to a person, who will answer you here.',
  write_word: 'Please write the word {word} to me, in a message of its own.',
  write_again: 'Thank you. I may write to you first again. Send "help" to see what I can do.',
  write_stopped:
    'All right, I do not write to you first any more. I still answer what you send. Send "start" to have it back.',

  // Actions that a PIN or a yes is asked for, as in pin_ask and confirm.
  to_help: 'see what I can do',
  to_find_files: 'search the files',
  to_find_file: 'search the files for {name}',
  to_read_files: 'read a file',
  to_read_file: 'read the file {name}',
  to_log_hours: 'log hours',
  to_log_entry: 'log {hours} on {date}{purpose}',
  to_see_certs: 'see your certs',
  to_see_shifts: 'see your shifts',
  to_see_assignments: 'see your assignments',
  to_see_timesheets: 'see your timesheets',
  to_change_pin: 'change your PIN',
  to_talk: 'talk to a person',
  to_verify: 'confirm your address',
  to_see_staff: 'look up the staff',
  to_see_who_can: 'see who can {skills}',
  to_write_first: 'change whether I write to you first',
  to_run: 'run {name} with {arguments}',

  // The help: what a person types, in English, and what it is for.
  can_do: 'I can do this:',
  type_who_can: 'who can forklift and first aid',
  type_my_shifts: 'my shifts, my shifts tomorrow',
  type_my_assignments: 'my jobs, my jobs today',
  type_my_certs: 'my certs',
  type_log_hours: 'log 7.5 hours on 2026-11-20 for painting (date and description as you like)',
  type_my_timesheets: 'my timesheets',
  type_find_file: 'find <file name>',
  type_read_file: 'read <file name>',
  type_verify: 'verify yes, verify no, or verify <code>',
  type_set_pin: 'set pin <4 to 12 digits>',
  type_talk_to_a_person: 'talk to a human',
  type_write_first: 'stop, or start: whether I write to you first',
  type_help: 'help',

  // Files.
  which_file_find: 'Which file? For example: find price list',
  which_file_read: 'Which file? For example: read price list',
  which_of_them: 'Which of them?',
  found: 'I found:',
  no_file: 'I found no file named {name}.',
  no_drive: 'No drive is connected.',
  file_unnamed: 'the file',
  file_no_text: 'I cannot read {name}: it is no text.',
  file_empty: '{name} is empty.',
  file_too_large: 'That file is too large for me to read.',
  file_cut: '… (cut: the file is longer)',

  // Staff.
  which_skill: 'Which skill? For example: who can forklift',
  and: 'and',
  who_can: 'Who can {skills}:',
  nobody_can: 'Nobody active can {skills}.',

  // A worker's own records.
  which_day: 'Which day? Today, tomorrow, a weekday or YYYY-MM-DD.',
  your_shifts: 'Your shifts:',
  your_shifts_on: 'Your shifts on {date}:',
  no_shifts: 'You have no shifts.',
  no_shifts_on: 'You have no shifts on {date}.',
  your_assignments: 'Your assignments:',
  your_assignments_on: 'Your assignments on {date}:',
  no_assignments: 'You have no assignments.',
  no_assignments_on: 'You have no assignments on {date}.',
  your_timesheets: 'Your timesheets:',
  no_timesheets: 'You have no timesheets.',
  your_certs: 'Your certs:',
  your_certs_for: 'Your certs for {type}:',
  no_certs: 'You have no certs.',
  no_certs_for: 'You have no certs for {type}.',
  days_left: '{days} left',
  site_unknown: 'I do not know what {site} asks for: please check there.',
  period: '{from} to {until} {zone}',
  more: '… and {count} more',

  // Hours.
  hours_bounds: 'Hours must be more than 0 and at most {max}.',
  date_form: 'Please give the date as YYYY-MM-DD.',
  date_unknown: 'There is no {date} in the calendar. Please give the date as YYYY-MM-DD.',
  purpose: ' for {description}',
  doubt_same: 'You have logged the same for that day already.',
  doubt_total: 'That day would have {hours}.',
  doubt_future: 'That day is still to come.',
  doubt_past: 'That day is {days} ago.',
  yes: 'yes',
  no: 'no',
  confirm: '{doubts} Send "yes" to {action} all the same.',
  logged: 'Logged {hours} on {date}{purpose}. That day has {total} now.',
  remark_future: 'It is a day that is still to come.',
  remark_over_24_h: 'That is more than {hours}.',
} as const;

export type SentenceKey = keyof typeof en;
export type Sentences = Readonly<Record<SentenceKey, string>>;
