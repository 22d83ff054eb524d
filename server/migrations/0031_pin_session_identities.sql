-- For which identity a PIN session was begun; null: for the customer. One that was begun with the customer's PIN went on
-- when the identity had set a PIN of its own, which then is the one to be checked (contract, section 5).
-- No reference: a verification that ends after its identity was deleted is no error.
alter table pin_sessions add column identity_id uuid;
