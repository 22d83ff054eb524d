/**
 * How a statement hands jobs to the queue's own, which comes after it in one round trip and transaction and sees none of
 * our tables: `set_config('app.left_jobs', <json text>, true)`, an array of {data, singletonKey, priority} as pg-boss takes it.
 */
export const LEFT_JOBS = `current_setting('app.left_jobs')`;
