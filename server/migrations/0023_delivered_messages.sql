-- What people wrote is kept until it is delivered, and no longer: it may be a PIN. Newer rows are cleared as they are
-- delivered.
update channel_messages set text = null, raw = '{}' where status = 'delivered';
