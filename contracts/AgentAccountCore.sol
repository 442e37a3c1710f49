// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {AccountBase} from "./account/AccountBase.sol";
import {AccountCredit} from "./account/AccountCredit.sol";
import {AccountFunds} from "./account/AccountFunds.sol";
import {AccountStakes} from "./account/AccountStakes.sol";
import {AccountStrategyRequests} from "./account/AccountStrategyRequests.sol";
import {AccountTransfers} from "./account/AccountTransfers.sol";

/// @title AgentAccountCore
/// @notice The only custodian of worker and poster balances: six numbers per (account, asset).
contract AgentAccountCore is AccountFunds, AccountStakes, AccountCredit, AccountTransfers, AccountStrategyRequests {
    constructor(address policy_, address registry_) AccountBase(policy_, registry_) {}
}
