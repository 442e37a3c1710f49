// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IAgentAccountCore, IReputationSBT, ITreasuryPolicy} from "./lib/Interfaces.sol";
import {EscrowClaims} from "./escrow/EscrowClaims.sol";
import {EscrowCreation} from "./escrow/EscrowCreation.sol";
import {EscrowDisclosure} from "./escrow/EscrowDisclosure.sol";
import {EscrowDisputes} from "./escrow/EscrowDisputes.sol";
import {EscrowVerdicts} from "./escrow/EscrowVerdicts.sol";

/// @title EscrowCore
/// @notice The job state machine. Holds no tokens: it moves balances inside AgentAccountCore.
contract EscrowCore is EscrowCreation, EscrowClaims, EscrowVerdicts, EscrowDisputes, EscrowDisclosure {
    constructor(address policy_, address accounts_, address reputation_, address treasuryAccount_) {
        if (treasuryAccount_ == address(0)) revert InvalidTreasuryAccount();
        policy = ITreasuryPolicy(policy_);
        accounts = IAgentAccountCore(accounts_);
        reputation = IReputationSBT(reputation_);
        treasuryAccount = treasuryAccount_;
    }
}
